import { shellText } from '#web/text/shell.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

/** A server response that is no page. */
export type UnexpectedResponse = { status: number; text: string }

/** Shows the text of such a response over the page. */
export default function UnexpectedResponseDialog({
  answer: response,
  onClose,
}: {
  answer: UnexpectedResponse | null
  onClose: () => void
}) {
  return (
    <Dialog
      open={response !== null}
      onOpenChange={onClose}
      title={shellText.overlayTitle}
      description={response ? shellText.overlayHint(response.status) : undefined}
      footer={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
    >
      {response?.text && (
        <pre
          tabIndex={0}
          aria-label={shellText.overlayContent}
          className="max-h-[40dvh] overflow-auto rounded-xl border bg-fill p-3.5 font-mono text-xs whitespace-pre-wrap"
        >
          {response.text}
        </pre>
      )}
    </Dialog>
  )
}
