import { router } from '@inertiajs/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Answer } from './ResponseDialog.tsx'

// Loaded at once, so that it is there when the server is not; the first picture does not wait for it.
const dialog = import('./ResponseDialog.tsx')
const ResponseDialog = lazy(() => dialog)

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
  // It stays mounted once it was open: a closing dialog gives the focus back.
  const [answered, setAnswered] = useState(false)
  useEffect(
    () =>
      router.on('httpException', (event: HttpException) => {
        const { status, headers, data } = event.detail.response
        // A page with an error status (404) is a page all the same.
        if ('x-inertia' in headers) return
        event.preventDefault()
        setAnswered(true)
        setAnswer({ status, text: typeof data === 'string' ? readable(data) : JSON.stringify(data, null, 2) })
      }),
    [],
  )
  return <Suspense>{answered && <ResponseDialog answer={answer} onClose={() => setAnswer(null)} />}</Suspense>
}
