import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { shellText } from '../text/shell.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

type Answer = { status: number; text: string }
type HttpException = CustomEvent<{
  response: { status: number; headers: Record<string, string>; data: unknown }
}>

/** The words of an HTML answer: nothing of a page that is not ours is rendered or run. */
function readable(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove()
  return body.textContent.trim()
}

/**
 * A visit answered by something that is not a page is shown over the page (specification section 8). Takes the place of
 * Inertia's own dialog, which has no name, no close button and an inline style.
 */
export function ResponseOverlay() {
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(
    () =>
      router.on('httpException', (event: HttpException) => {
        const { status, headers, data } = event.detail.response
        // A page with an error status (404) is a page all the same.
        if ('x-inertia' in headers) return
        event.preventDefault()
        setAnswer({ status, text: typeof data === 'string' ? readable(data) : JSON.stringify(data, null, 2) })
      }),
    [],
  )
  return (
    <Dialog
      open={answer !== null}
      onOpenChange={() => setAnswer(null)}
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
