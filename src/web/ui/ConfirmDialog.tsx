import { useState } from 'react'
import { ApiError } from '#web/core/api.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { toast } from './toast.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  confirmLabel?: string
  /** The action cannot be undone. */
  danger?: boolean
  /** The dialog waits for a promise, then closes. It shows a failure that the callback has not reported. */
  onConfirm: () => void | Promise<void>
}

export function ConfirmDialog({ confirmLabel = uiText.confirm, danger, onConfirm, ...dialog }: Props) {
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    try {
      await onConfirm()
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : uiText.failed)
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
