import { shellText } from '../text/shell.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

/** What a server said that is no page. */
export type Answer = { status: number; text: string }

/** The words of an answer that is no page, over the page. */
export default function ResponseDialog({ answer, onClose }: { answer: Answer | null; onClose: () => void }) {
  return (
    <Dialog
      open={answer !== null}
      onOpenChange={onClose}
      title={shellText.overlayTitle}
      description={answer ? shellText.overlayHint(answer.status) : undefined}
      footer={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
    >
      {answer?.text && (
        <pre
          tabIndex={0}
          aria-label={shellText.overlayContent}
          className="max-h-[40dvh] overflow-auto rounded-xl border bg-fill p-3.5 font-mono text-xs whitespace-pre-wrap"
        >
          {answer.text}
        </pre>
      )}
    </Dialog>
  )
}
