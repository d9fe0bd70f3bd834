import { Link } from '@inertiajs/react'
import { useState } from 'react'
import type { UserInfo } from '#contract/users.ts'
import { StorageUse } from '#web/documents/blocks/blocks.ts'
import { fromNetwork, requestRaw } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { formatDateTime } from '#web/core/format.ts'
import { accountText as text } from '#web/text/account/account.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { download } from '#web/ui/download.ts'
import { withToast } from '#web/ui/withToast.ts'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { SettingSection } from './SettingSection.tsx'

/** Exports the account's data, and deletes the account. */
export function AccountData({ user }: { user: UserInfo }) {
  const [isExporting, setIsExporting] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const save = async () => {
    setIsExporting(true)
    const options = { failed: text.exportFailed }
    await withToast(async () => {
      const response = await clearUserOn401(requestRaw('GET /api/user/account/export', {}, options))
      const file = await fromNetwork(response.blob(), options)
      download(file, text.fileName(formatDateTime(new Date().toISOString()).slice(0, 10)))
    })
    setIsExporting(false)
  }
  return (
    <SettingSection id="data" title={text.title}>
      <ul aria-label={text.title} className="divide-y rounded-xl border">
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-3">
          <StorageUse className="min-w-56 flex-1" />
          <Link href="/block" className={buttonClass({ size: 'sm' })}>
            {text.files}
          </Link>
        </li>
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-3">
          <p className="min-w-56 flex-1 text-ink2">{text.exportHint}</p>
          <Button size="sm" pending={isExporting} onClick={() => void save()}>
            {text.export}
          </Button>
        </li>
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-3">
          <p className="min-w-56 flex-1 text-ink2">{text.deleteHint}</p>
          <Button size="sm" variant="danger" onClick={() => setIsDeleting(true)}>
            {text.delete}
          </Button>
        </li>
      </ul>
      {isDeleting && <DeleteAccountDialog user={user} onClose={() => setIsDeleting(false)} />}
    </SettingSection>
  )
}
