import { BarChart3, KeyRound, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '#contract/keys.ts'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { keysText } from '#web/text/keys.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import { ApiKeySamples } from './ApiKeySamples.tsx'
import { apiKeyCalls, invalidateApiKeys, useApiKeys } from './keyCalls.ts'
import { getLastDay } from './KeyForm.tsx'
import { formatLastUsed, getUsableKeyValue, KeyList, KeyName, KeyStatus, NewKeyDialog } from './KeyList.tsx'
import { KeyUsage } from './KeyUsage.tsx'

/** The API keys of the signed-in user with their actions, and sample programs. */
export const ApiKeys = () => (
  <SignInGate icon={<KeyRound size={28} />} title={keysText.signIn} description={keysText.signInHint}>
    {(user) => <ApiKeyList user={user} />}
  </SignInGate>
)

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'usage' | 'rotate' | 'remove'; key: ApiKey } | null

function ApiKeyList({ user }: { user: UserInfo }) {
  const query = useApiKeys()
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  /** The key that was last created or given a new value. */
  const [newest, setNewest] = useState<ApiKey | null>(null)
  const close = () => setOpenDialog(null)
  const getKeyOf = (kind: 'edit' | 'usage' | 'rotate' | 'remove') =>
    openDialog?.kind === kind ? openDialog.key : null
  const editedKey = getKeyOf('edit')
  const usage = getKeyOf('usage')
  const rotated = getKeyOf('rotate')
  const keyToRemove = getKeyOf('remove')

  const toggle = async (key: ApiKey) => {
    await withToast(() => apiKeyCalls.setStatus(key, !key.status), {
      done: key.status ? keysText.disabled : keysText.enabled,
    })
    await invalidateApiKeys()
  }
  const rotate = async (key: ApiKey) => {
    const changed = await withToast(() => apiKeyCalls.rotate(key))
    await invalidateApiKeys()
    if (changed) setNewest(changed)
  }
  const remove = async (key: ApiKey) => {
    await withToast(() => apiKeyCalls.remove(key), {
      done: keysText.removed,
    })
    await invalidateApiKeys()
  }

  return (
    <>
      <KeyList
        text={keysText}
        query={query}
        columns={columns}
        onCreate={() => setOpenDialog({ kind: 'create' })}
        onEdit={(key) => setOpenDialog({ kind: 'edit', key })}
        onToggle={(key) => void toggle(key)}
        onRemove={(key) => setOpenDialog({ kind: 'remove', key })}
        extraItems={(key) => [
          {
            label: keysText.usage,
            icon: <BarChart3 size={16} />,
            onSelect: () => setOpenDialog({ kind: 'usage', key }),
          },
          {
            label: keysText.rotate,
            description: keysText.rotateHint,
            icon: <RefreshCw size={16} />,
            onSelect: () => setOpenDialog({ kind: 'rotate', key }),
          },
        ]}
      />
      <ApiKeySamples model={user.model} api_key={getUsableKeyValue(newest, query.data?.items)} />
      <Dialog
        open={openDialog?.kind === 'create' || editedKey !== null}
        onOpenChange={close}
        title={editedKey ? keysText.editTitle : keysText.createTitle}
      >
        <ApiKeyForm edited={editedKey} onCreated={setNewest} onClose={close} />
      </Dialog>
      <Dialog open={usage !== null} onOpenChange={close} title={keysText.usageTitle(usage?.name ?? '')}>
        {usage && <KeyUsage id={usage.uuid} />}
      </Dialog>
      <ConfirmDialog
        open={rotated !== null}
        onOpenChange={close}
        title={keysText.rotateTitle}
        description={keysText.rotateText(rotated?.name ?? '')}
        confirmLabel={keysText.rotate}
        danger
        onConfirm={async () => {
          if (rotated) await rotate(rotated)
        }}
      />
      <ConfirmDialog
        open={keyToRemove !== null}
        onOpenChange={close}
        title={keysText.removeTitle}
        description={keysText.removeText(keyToRemove?.name ?? '')}
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

function getKeyState({ status, expired, credit_limit, credit_used }: ApiKey) {
  if (!status) return 'disabled'
  if (expired) return 'expired'
  return credit_limit > 0 && credit_used >= credit_limit ? 'exhausted' : 'enabled'
}

const columns: Column<ApiKey>[] = [
  { key: 'name', title: keysText.name, cell: KeyName },
  { key: 'status', title: keysText.status, cell: (key) => <KeyStatus state={getKeyState(key)} /> },
  {
    key: 'credit',
    title: keysText.credit,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ credit_used, credit_limit }) =>
      `${formatCoins(credit_used)} / ${credit_limit > 0 ? formatCoins(credit_limit) : keysText.unlimited}`,
  },
  { key: 'group', title: keysText.group, className: 'whitespace-nowrap', cell: ({ group }) => group.alias },
  {
    key: 'expired_at',
    title: keysText.expired_at,
    className: 'whitespace-nowrap',
    cell: ({ expired_at }) => getLastDay(expired_at) || keysText.never,
  },
  {
    key: 'last_used_at',
    title: keysText.last_used_at,
    className: 'whitespace-nowrap',
    cell: ({ last_used_at }) => formatLastUsed(last_used_at),
  },
]
