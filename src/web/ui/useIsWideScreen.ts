import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: room for the sidebar beside the page. */
const wideQuery = matchMedia('(min-width: 48rem)')

function subscribe(listener: () => void): () => void {
  wideQuery.addEventListener('change', listener)
  return () => wideQuery.removeEventListener('change', listener)
}

/** Returns false in the server's HTML, which is made for both widths. */
export const useIsWideScreen = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => wideQuery.matches,
    () => false,
  )
