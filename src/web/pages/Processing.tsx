import { Head } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { usePageUrl } from '#web/core/page.ts'
import { isOwnPath } from '#web/core/ownUrl.ts'
import { processingText as text } from '#web/text/site/processing.ts'
import { Button } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Flow } from '#web/ui/water/Flow.tsx'
import { Water } from '#web/ui/water/Water.tsx'

/** Interval between readiness checks, ms. */
const POLL_MS = 2_000

const isReady = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Waits until the server is ready, then opens the requested page. */
export default function Processing() {
  const { pathname, search, searchParams } = usePageUrl()
  const redirectTo = searchParams.get('redirect_to') ?? '/'
  const target = pathname !== '/102' ? pathname + search : isOwnPath(redirectTo) ? redirectTo : '/'
  const [state, setState] = useState<'first' | 'waiting' | 'ready'>('first')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isLeft = false
    const look = async () => {
      const ready = await isReady()
      if (isLeft) return
      setState(ready ? 'ready' : 'waiting')
      // With a full load, since this page's data may come from an earlier server.
      if (ready) location.replace(target)
      else timer = setTimeout(() => void look(), POLL_MS)
    }
    void look()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [target])
  return (
    <main className="relative grid min-h-dvh place-items-center overflow-hidden px-6 py-10 text-center">
      <Head title={text.title} />
      <Water className="inset-0 h-full w-full" />
      <div className="relative flex max-w-sm flex-col items-center">
        <Logo size={48} />
        <h1 className="mt-6 font-display text-title-sm leading-snug font-semibold">{text.title}</h1>
        <p className="mt-2 text-ink2">{text.hint}</p>
        <Flow className="mt-5" />
        <p role="status" className="mt-2 min-h-6 text-note text-ink3">
          {state === 'first' ? '' : text[state]}
        </p>
        <Button className="mt-5" onClick={() => location.replace(target)}>
          {text.now}
        </Button>
      </div>
    </main>
  )
}
