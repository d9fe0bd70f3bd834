import { Pencil, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { keysText } from '#web/text/keys.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { DialogForm } from './DialogForm.tsx'
import { KeyList } from './KeyList.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import { KeysView, type KeyListQuery } from './KeysView.tsx'
import type { AnyKey, KeyKind } from './keyKind.ts'
import { NewKeyDialog } from './NewKeyDialog.tsx'

/** What is open over the list. */
type OpenDialog<K> = { what: 'create' } | { what: 'edit' | 'remove'; key: K } | null

type Props<K extends AnyKey, F> = {
  kind: KeyKind<K, F>
  signedIn: boolean
  query: KeyListQuery<K>
  /** The key that was given its value last; its value is shown until that was confirmed. */
  newest: K | null
  onNewest: (key: K) => void
  /** What else can be done with a key. */
  extraItems?: (key: K) => MenuItem[]
}

/** The keys of a kind, and the dialogs to make, change and delete one. */
export function KeyManager<K extends AnyKey, F extends object>(props: Props<K, F>) {
  const { kind, signedIn, query, newest, onNewest, extraItems } = props
  const { text, actions } = kind
  const [openDialog, setOpenDialog] = useState<OpenDialog<K>>(null)
  const [confirmedValue, setConfirmedValue] = useState<string | null>(null)
  const close = () => setOpenDialog(null)
  const editedKey = openDialog?.what === 'edit' ? openDialog.key : null
  const removedKey = openDialog?.what === 'remove' ? openDialog.key : null
  const raw_value = newest?.raw_value ?? null

  const renderMenu = (key: K) => (
    <KeyMenu
      name={key.name}
      items={[
        {
          label: keysText.edit,
          icon: <Pencil size={16} />,
          onSelect: () => setOpenDialog({ what: 'edit', key }),
        },
        {
          label: key.status ? keysText.disable : keysText.enable,
          icon: <Power size={16} />,
          onSelect: () => void actions.toggle(key),
        },
        ...(extraItems?.(key) ?? []),
        'separator',
        {
          label: keysText.remove,
          icon: <Trash2 size={16} />,
          danger: true,
          onSelect: () => setOpenDialog({ what: 'remove', key }),
        },
      ]}
    />
  )
  const save = async (fields: F) => {
    if (editedKey) await actions.save(editedKey, fields)
    else onNewest(await actions.create(fields))
    close()
  }
  return (
    <>
      <KeysView
        text={text}
        signedIn={signedIn}
        query={query}
        onCreate={() => setOpenDialog({ what: 'create' })}
      >
        {(keys) => <KeyList label={text.title} columns={kind.columns} rows={keys} actions={renderMenu} />}
      </KeysView>
      <Dialog
        open={openDialog?.what === 'create' || editedKey !== null}
        onOpenChange={close}
        title={editedKey ? text.editTitle : text.createTitle}
      >
        <DialogForm
          initial={editedKey ? kind.toFields(editedKey) : kind.emptyFields}
          numberFields={kind.numberFields}
          submitLabel={editedKey ? keysText.save : text.create}
          formatError={editedKey ? text.updateFailed : text.createFailed}
          onCancel={close}
          save={save}
        >
          {kind.renderFields}
        </DialogForm>
      </Dialog>
      <ConfirmDialog
        open={removedKey !== null}
        onOpenChange={close}
        title={text.removeTitle}
        description={text.removeText(removedKey?.name ?? '')}
        confirmLabel={keysText.remove}
        danger
        onConfirm={async () => {
          if (removedKey) await actions.remove(removedKey)
        }}
      />
      <NewKeyDialog
        value={raw_value === confirmedValue ? null : raw_value}
        onClose={() => setConfirmedValue(raw_value)}
      />
    </>
  )
}
