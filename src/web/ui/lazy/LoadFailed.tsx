import { loadFailedText as text } from '#web/text/loadFailed.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'

type Props = {
  /** Only a reload helps. */
  stale: boolean
  pending: boolean
  onRetry: () => void
  /** The part is the whole page. */
  page: boolean
  /** Set if the part is a dialog; otherwise the message stands in the part's place. */
  dialog?: { open: boolean; onClose: () => void }
}

/** Replaces a part that could not be loaded by a message with a retry button. */
export default function LoadFailed({ stale, pending, onRetry, page, dialog }: Props) {
  const retry = (
    <Button variant={dialog ? 'primary' : 'secondary'} pending={pending} onClick={onRetry}>
      {stale ? text.reload : text.retry}
    </Button>
  )
  if (dialog) {
    return (
      <Dialog
        open={dialog.open}
        onOpenChange={dialog.onClose}
        title={text.title}
        description={stale ? text.stale : text.hint}
        footer={retry}
      />
    )
  }
  if (page) {
    return (
      <div role="alert" className="m-auto flex flex-col items-center gap-2 px-6 py-12 text-center">
        <h1 className="text-base font-semibold">{text.pageTitle}</h1>
        <p className="mb-3 text-ink2">{stale ? text.stale : text.pageHint}</p>
        {retry}
      </div>
    )
  }
  return (
    <div
      role="alert"
      className="m-auto flex flex-wrap items-center justify-center gap-x-3 gap-y-2 p-3 text-note text-ink2"
    >
      <p>{stale ? text.stale : text.title}</p>
      {retry}
    </div>
  )
}
