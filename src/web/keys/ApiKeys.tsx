import { BarChart3, Pencil, Power, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { keysText } from '../text/keys.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { createKey, removeKey, rotateKey, saveKey, toggleKey } from './apiKeyActions.ts'
import { ApiSamples } from './ApiSamples.tsx'
import { apiKeyColumns } from './apiKeyColumns.tsx'
import { keyFieldsOf, newKeyFields } from './fields.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyList } from './KeyList.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import { KeysBody } from './KeysBody.tsx'
import { useApiKeys } from './queries.ts'
import { RawValue } from './RawValue.tsx'
import { UsageTable } from './UsageTable.tsx'

/** What is open over the list. */
type Open = { what: 'create' } | { what: 'edit' | 'usage' | 'rotate' | 'remove'; key: ApiKey } | null

/** The API keys of the signed-in user and everything that can be done with them. */
export function ApiKeys() {
  const user = useUser()
  const signedIn = user !== null
  const answer = useApiKeys(signedIn)
  const [open, setOpen] = useState<Open>(null)
  const [raw_value, setRawValue] = useState<string | null>(null)
  const close = () => setOpen(null)
  const of = (what: NonNullable<Open>['what']) =>
    open?.what === what && open.what !== 'create' ? open.key : null
  const [edited, used, rotated, removed] = [of('edit'), of('usage'), of('rotate'), of('remove')]

  const menu = (key: ApiKey) => (
    <KeyMenu
      name={key.name}
      items={[
        {
          label: keysText.usage,
          icon: <BarChart3 size={16} />,
          onSelect: () => setOpen({ what: 'usage', key }),
        },
        { label: keysText.edit, icon: <Pencil size={16} />, onSelect: () => setOpen({ what: 'edit', key }) },
        {
          label: key.status ? keysText.disable : keysText.enable,
          icon: <Power size={16} />,
          onSelect: () => void toggleKey(key),
        },
        {
          label: keysText.rotate,
          description: keysText.rotateHint,
          icon: <RefreshCw size={16} />,
          onSelect: () => setOpen({ what: 'rotate', key }),
        },
        'separator',
        {
          label: keysText.remove,
          icon: <Trash2 size={16} />,
          danger: true,
          onSelect: () => setOpen({ what: 'remove', key }),
        },
      ]}
    />
  )
  return (
    <>
      <KeysBody
        text={keysText}
        signedIn={signedIn}
        answer={answer}
        onCreate={() => setOpen({ what: 'create' })}
      >
        {(keys) => <KeyList label={keysText.title} columns={apiKeyColumns} rows={keys} actions={menu} />}
      </KeysBody>
      {user && <ApiSamples model={user.model} />}
      <Dialog open={open?.what === 'create'} onOpenChange={close} title={keysText.createTitle}>
        <KeyForm
          initial={newKeyFields}
          submit={keysText.create}
          failed={keysText.createFailed}
          onCancel={close}
          save={async (fields) => {
            setRawValue(await createKey(fields))
            close()
          }}
        />
      </Dialog>
      <Dialog open={edited !== null} onOpenChange={close} title={keysText.editTitle}>
        {edited && (
          <KeyForm
            initial={keyFieldsOf(edited)}
            submit={keysText.save}
            failed={keysText.updateFailed}
            onCancel={close}
            save={(fields) => saveKey(edited, fields).then(close)}
          />
        )}
      </Dialog>
      <Dialog open={used !== null} onOpenChange={close} title={keysText.usageTitle(used?.name ?? '')}>
        {used && <UsageTable id={used.uuid} />}
      </Dialog>
      <ConfirmDialog
        open={rotated !== null}
        onOpenChange={close}
        title={keysText.rotateTitle}
        description={keysText.rotateText(rotated?.name ?? '')}
        confirmLabel={keysText.rotate}
        danger
        onConfirm={async () => {
          if (rotated) setRawValue(await rotateKey(rotated))
        }}
      />
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={close}
        title={keysText.removeTitle}
        description={keysText.removeText(removed?.name ?? '')}
        confirmLabel={keysText.remove}
        danger
        onConfirm={async () => {
          if (removed) await removeKey(removed)
        }}
      />
      <RawValue value={raw_value} onClose={() => setRawValue(null)} />
    </>
  )
}
