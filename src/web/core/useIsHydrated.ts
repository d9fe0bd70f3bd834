import { useEffect, useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/**
 * False on the server, and in the browser for the first render, which takes over the server's HTML. Things that only the browser
 * knows (width, storage, time, loaded code) are rendered after it, before the next paint.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

/** Tells the document (public/boot.js, boot.css) that its HTML was hydrated, or that there was none. The layout calls it once. */
export const useReportHydrated = (): void =>
  useEffect(() => {
    document.querySelector('[data-server-rendered]')?.removeAttribute('data-server-rendered')
    dispatchEvent(new Event('hydrated'))
  }, [])
