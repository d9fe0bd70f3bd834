import { useEffect, useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/**
 * False on the server, and in the browser for the one drawing that takes the server's HTML over: whatever only the browser
 * knows (width, storage, time, what is loaded) is drawn after it, before the next paint.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

/** Tells the document (public/boot.js, boot.css) that its HTML was taken over, or that there was none: once, by the layout. */
export const useReportHydrated = (): void =>
  useEffect(() => {
    document.querySelector('[data-server-rendered]')?.removeAttribute('data-server-rendered')
    dispatchEvent(new Event('hydrated'))
  }, [])
