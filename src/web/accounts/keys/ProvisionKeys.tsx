import { Link } from '@inertiajs/react'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { keyGroups } from '#contract/key-groups.ts'
import type { ProvisionKey } from '#contract/keys.ts'
import { formatCoins } from '#web/core/format.ts'
import { useConfig } from '#web/core/page.ts'
import { keysText, provisionText } from '#web/text/keys.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { invalidateProvisionKeys, provisionKeyCalls, useProvisionKeys } from './keyCalls.ts'
import { formatLastUsed, getUsableKeyValue, KeyList, KeyName, KeyStatus, NewKeyDialog } from './KeyList.tsx'
import { ProvisionKeyForm } from './ProvisionKeyForm.tsx'

/** The provision keys of the signed-in user with their actions, and a sample command. */
export const ProvisionKeys = () => (
  <SignInGate icon={<KeyRound size={28} />} title={keysText.signIn} description={keysText.signInHint}>
    {() => <ProvisionKeyList />}
  </SignInGate>
)

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'remove'; key: ProvisionKey } | null

function ProvisionKeyList() {
  const query = useProvisionKeys()
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  /** The key that was created last. */
  const [newest, setNewest] = useState<ProvisionKey | null>(null)
  const close = () => setOpenDialog(null)
  const editedKey = openDialog?.kind === 'edit' ? openDialog.key : null
  const keyToRemove = openDialog?.kind === 'remove' ? openDialog.key : null

  const toggle = async (key: ProvisionKey) => {
    await withToast(() => provisionKeyCalls.setStatus(key, !key.status), {
      done: key.status ? keysText.disabled : keysText.enabled,
    })
    await invalidateProvisionKeys()
  }
  const remove = async (key: ProvisionKey) => {
    await withToast(() => provisionKeyCalls.remove(key), {
      done: keysText.removed,
    })
    await invalidateProvisionKeys()
  }

  return (
    <>
      <KeyList
        text={provisionText}
        query={query}
        columns={columns}
        onCreate={() => setOpenDialog({ kind: 'create' })}
        onEdit={(key) => setOpenDialog({ kind: 'edit', key })}
        onToggle={(key) => void toggle(key)}
        onRemove={(key) => setOpenDialog({ kind: 'remove', key })}
      />
      <ProvisionKeySample provision_key={getUsableKeyValue(newest, query.data?.items)} />
      <Dialog
        open={openDialog?.kind === 'create' || editedKey !== null}
        onOpenChange={close}
        title={editedKey ? provisionText.editTitle : provisionText.createTitle}
      >
        <ProvisionKeyForm edited={editedKey} onCreated={setNewest} onClose={close} />
      </Dialog>
      <ConfirmDialog
        open={keyToRemove !== null}
        onOpenChange={close}
        title={provisionText.removeTitle}
        description={provisionText.removeText(keyToRemove?.name ?? '')}
        confirmLabel={keysText.remove}
        danger
        onConfirm={async () => {
          if (keyToRemove) await remove(keyToRemove)
        }}
      />
      <NewKeyDialog newest={newest} />
    </>
  )
}

const PLACEHOLDER_KEY = 'YOUR_PROVISION_KEY'

/** A sample command that creates an API key; `provision_key` is null while its whole value is unknown. */
function ProvisionKeySample({ provision_key }: { provision_key: string | null }) {
  const { app_url } = useConfig()
  const code = `curl ${app_url}/api/api_keys \\
  -H "Authorization: Bearer ${provision_key ?? PLACEHOLDER_KEY}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "customer-1", "credit_limit": 100}'`
  return (
    <section className="mt-12 flex flex-col gap-2">
      <h2 className="text-reading font-medium">{provisionText.sample}</h2>
      <p className="text-note text-ink2">
        {provisionText.sampleHint}
        <Link href="/docs/api" className="text-accent underline underline-offset-3">
          {provisionText.sampleLink}
        </Link>
        。
      </p>
      <CodeSample code={code} />
    </section>
  )
}

/** Limits of a provision key in words; 不限 without any. */
function formatCaps(key: ProvisionKey): string {
  const groups = keyGroups.filter(({ name }) => key.allowed_groups?.includes(name))
  const parts = [
    key.max_credit_limit > 0 && provisionText.capCredit(formatCoins(key.max_credit_limit)),
    key.total_credit_limit > 0 &&
      provisionText.capTotal(formatCoins(key.total_credit_used), formatCoins(key.total_credit_limit)),
    key.max_days !== null && provisionText.capDays(key.max_days),
    groups.map(({ alias }) => alias).join('、'),
    key.allowed_models && provisionText.capModels(key.allowed_models.length),
  ]
  return parts.filter(Boolean).join('，') || keysText.unlimited
}

const columns: Column<ProvisionKey>[] = [
  { key: 'name', title: keysText.name, cell: KeyName },
  {
    key: 'status',
    title: keysText.status,
    cell: ({ status }) => <KeyStatus state={status ? 'enabled' : 'disabled'} />,
  },
  {
    key: 'keys',
    title: provisionText.keys,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ keys, max_keys }) => provisionText.keysOf(keys, max_keys),
  },
  { key: 'caps', title: provisionText.capsColumn, cell: formatCaps },
  {
    key: 'last_used_at',
    title: keysText.last_used_at,
    className: 'whitespace-nowrap',
    cell: ({ last_used_at }) => formatLastUsed(last_used_at),
  },
]
