import { Link } from '@inertiajs/react'
import { ProvisionKeys } from '#web/accounts/keys/ProvisionKeys.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { keysText, provisionText } from '#web/text/keys.ts'
import { buttonClass } from '#web/ui/Button.tsx'

export default function ProvisionKey() {
  const actions = (
    <Link href="/profile/api-keys" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
      {keysText.title}
    </Link>
  )
  return (
    <AppPage title={provisionText.title}>
      <PageBody title={provisionText.title} actions={actions}>
        <ProvisionKeys />
      </PageBody>
    </AppPage>
  )
}
