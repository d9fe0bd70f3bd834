import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: room for the sidebar beside the page. */
const wideQuery = matchMedia('(min-width: 48rem)')

function subscribe(listener: () => void): () => void {
  wideQuery.addEventListener('change', listener)
  return () => wideQuery.removeEventListener('change', listener)
}

export const useIsWideScreen = (): boolean => useSyncExternalStore(subscribe, () => wideQuery.matches)
