import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: room for the sidebar beside the page. */
const wide = matchMedia('(min-width: 48rem)')

function watch(watcher: () => void): () => void {
  wide.addEventListener('change', watcher)
  return () => wide.removeEventListener('change', watcher)
}

export const useWide = (): boolean => useSyncExternalStore(watch, () => wide.matches)
