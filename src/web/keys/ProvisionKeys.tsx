import { Pencil, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ProvisionKey } from '#contract/keys.ts'
import { useUser } from '../core/user.ts'
import { keysText, provisionText } from '../text/keys.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { newProvisionFields, provisionFieldsOf } from './fields.ts'
import { KeyList } from './KeyList.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import { KeysBody } from './KeysBody.tsx'
import {
  createProvisionKey,
  removeProvisionKey,
  saveProvisionKey,
  toggleProvisionKey,
} from './provisionActions.ts'
import { provisionColumns } from './provisionColumns.tsx'
import { ProvisionForm } from './ProvisionForm.tsx'
import { ProvisionSample } from './ProvisionSample.tsx'
import { useProvisionKeys } from './queries.ts'
import { RawValue } from './RawValue.tsx'

type Open = { what: 'create' } | { what: 'edit' | 'remove'; key: ProvisionKey } | null

/** The provision keys of the signed-in user and everything that can be done with them. */
export function ProvisionKeys() {
  const signedIn = useUser() !== null
  const answer = useProvisionKeys(signedIn)
  const [open, setOpen] = useState<Open>(null)
  const [raw_value, setRawValue] = useState<string | null>(null)
  const close = () => setOpen(null)
  const edited = open?.what === 'edit' ? open.key : null
  const removed = open?.what === 'remove' ? open.key : null

  const menu = (key: ProvisionKey) => (
    <KeyMenu
      name={key.name}
      items={[
        { label: keysText.edit, icon: <Pencil size={16} />, onSelect: () => setOpen({ what: 'edit', key }) },
        {
          label: key.status ? keysText.disable : keysText.enable,
          icon: <Power size={16} />,
          onSelect: () => void toggleProvisionKey(key),
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
        text={provisionText}
        signedIn={signedIn}
        answer={answer}
        onCreate={() => setOpen({ what: 'create' })}
      >
        {(keys) => (
          <KeyList label={provisionText.title} columns={provisionColumns} rows={keys} actions={menu} />
        )}
      </KeysBody>
      {signedIn && <ProvisionSample />}
      <Dialog open={open?.what === 'create'} onOpenChange={close} title={provisionText.createTitle}>
        <ProvisionForm
          initial={newProvisionFields}
          submit={provisionText.create}
          failed={provisionText.createFailed}
          onCancel={close}
          save={async (fields) => {
            setRawValue(await createProvisionKey(fields))
            close()
          }}
        />
      </Dialog>
      <Dialog open={edited !== null} onOpenChange={close} title={provisionText.editTitle}>
        {edited && (
          <ProvisionForm
            initial={provisionFieldsOf(edited)}
            submit={keysText.save}
            failed={provisionText.updateFailed}
            onCancel={close}
            save={(fields) => saveProvisionKey(edited, fields).then(close)}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={close}
        title={provisionText.removeTitle}
        description={provisionText.removeText(removed?.name ?? '')}
        confirmLabel={keysText.remove}
        danger
        onConfirm={async () => {
          if (removed) await removeProvisionKey(removed)
        }}
      />
      <RawValue value={raw_value} onClose={() => setRawValue(null)} />
    </>
  )
}
