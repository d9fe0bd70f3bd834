import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { usePageUrl } from '../core/page.ts'

/** Long enough for a burst of typing, short enough for whoever copies the address right after. */
const SETTLE_MS = 250

/**
 * State that lives in the address, so that it can be shared and survives a reload: begins as what the query says, and
 * is written back a moment after it changed, in place of the entry in the history. `read` and `write` are constants.
 */
export function useAddress<T>(
  read: (query: URLSearchParams) => T,
  write: (value: T) => URLSearchParams,
): [T, (value: T) => void] {
  const { searchParams } = usePageUrl()
  const [value, setValue] = useState(() => read(searchParams))
  useEffect(() => {
    const timer = setTimeout(() => {
      const query = write(value)
      const search = query.size ? `?${query}` : ''
      if (location.search === search) return
      router.replace({ url: location.pathname + search, preserveState: true, preserveScroll: true })
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value, write])
  return [value, setValue]
}
