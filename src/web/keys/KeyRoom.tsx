import { Pencil, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { keysText } from '../text/keys.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { FieldsForm } from './FieldsForm.tsx'
import { KeyList } from './KeyList.tsx'
import { KeyMenu } from './KeyMenu.tsx'
import { KeysBody, type Answer } from './KeysBody.tsx'
import type { AnyKey, Kind } from './kind.ts'
import { RawValue } from './RawValue.tsx'

/** What is open over the list. */
type Open<K> = { what: 'create' } | { what: 'edit' | 'remove'; key: K } | null

type Props<K extends AnyKey, F> = {
  kind: Kind<K, F>
  signedIn: boolean
  answer: Answer<K>
  /** The key that was given its value last; its value is shown until that was confirmed. */
  newest: K | null
  onNewest: (key: K) => void
  /** What else can be done with a key. */
  more?: (key: K) => MenuItem[]
}

/** The keys of a kind, and the dialogs to make, change and delete one. */
export function KeyRoom<K extends AnyKey, F extends object>(props: Props<K, F>) {
  const { kind, signedIn, answer, newest, onNewest, more } = props
  const { text, actions } = kind
  const [open, setOpen] = useState<Open<K>>(null)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const close = () => setOpen(null)
  const edited = open?.what === 'edit' ? open.key : null
  const removed = open?.what === 'remove' ? open.key : null
  const raw_value = newest?.raw_value ?? null

  const menu = (key: K) => (
    <KeyMenu
      name={key.name}
      items={[
        { label: keysText.edit, icon: <Pencil size={16} />, onSelect: () => setOpen({ what: 'edit', key }) },
        {
          label: key.status ? keysText.disable : keysText.enable,
          icon: <Power size={16} />,
          onSelect: () => void actions.toggle(key),
        },
        ...(more?.(key) ?? []),
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
  const save = async (fields: F) => {
    if (edited) await actions.save(edited, fields)
    else onNewest(await actions.create(fields))
    close()
  }
  return (
    <>
      <KeysBody text={text} signedIn={signedIn} answer={answer} onCreate={() => setOpen({ what: 'create' })}>
        {(keys) => <KeyList label={text.title} columns={kind.columns} rows={keys} actions={menu} />}
      </KeysBody>
      <Dialog
        open={open?.what === 'create' || edited !== null}
        onOpenChange={close}
        title={edited ? text.editTitle : text.createTitle}
      >
        <FieldsForm
          initial={edited ? kind.fieldsOf(edited) : kind.blank}
          numbers={kind.numbers}
          submit={edited ? keysText.save : text.create}
          failed={edited ? text.updateFailed : text.createFailed}
          onCancel={close}
          save={save}
        >
          {kind.controls}
        </FieldsForm>
      </Dialog>
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={close}
        title={text.removeTitle}
        description={text.removeText(removed?.name ?? '')}
        confirmLabel={keysText.remove}
        danger
        onConfirm={async () => {
          if (removed) await actions.remove(removed)
        }}
      />
      <RawValue value={raw_value === confirmed ? null : raw_value} onClose={() => setConfirmed(raw_value)} />
    </>
  )
}
