import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import UnexpectedResponseDialog, { type UnexpectedResponse } from './UnexpectedResponseDialog.tsx'

type HttpException = CustomEvent<{
  response: { status: number; headers: Record<string, string>; data: unknown }
}>

/** Returns the text of an HTML response. Nothing of a foreign page is rendered or run. */
function extractText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove()
  return body.textContent.trim()
}

/**
 * Shows a response that is not a page over the page (specification section 8). Replaces Inertia's own dialog, which has no name,
 * no close button and an inline style.
 */
export function UnexpectedResponseOverlay() {
  const [unexpected, setUnexpected] = useState<UnexpectedResponse | null>(null)
  useEffect(
    () =>
      router.on('httpException', (event: HttpException) => {
        const { status, headers, data } = event.detail.response
        // A page with an error status (404) still is a page.
        if ('x-inertia' in headers) return
        event.preventDefault()
        setUnexpected({
          status,
          text: typeof data === 'string' ? extractText(data) : JSON.stringify(data, null, 2),
        })
      }),
    [],
  )
  return <UnexpectedResponseDialog answer={unexpected} onClose={() => setUnexpected(null)} />
}
