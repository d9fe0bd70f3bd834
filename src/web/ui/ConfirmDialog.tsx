import { useState } from 'react'
import { uiText } from '../text/ui.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  confirmLabel?: string
  /** The action cannot be undone. */
  danger?: boolean
  /** The dialog waits for a promise and then closes; whoever confirms reports a failure. */
  onConfirm: () => void | Promise<void>
}

export function ConfirmDialog({ confirmLabel = uiText.confirm, danger, onConfirm, ...dialog }: Props) {
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    try {
      await onConfirm()
    } finally {
      setPending(false)
      dialog.onOpenChange(false)
    }
  }
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={() => dialog.onOpenChange(false)}>{uiText.cancel}</Button>
          <Button variant={danger ? 'danger' : 'primary'} pending={pending} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}
