import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { usePageUrl } from './page.ts'

/** Long enough for a burst of typing, short enough for copying the address right after. */
const WRITE_DELAY_MS = 250

/**
 * State kept in the address, so that it can be shared and survives a reload. It begins with the query's value and is written back
 * a moment after a change, replacing the history entry. `parse` and `serialize` must be constants.
 */
export function useUrlState<T>(
  parse: (query: URLSearchParams) => T,
  serialize: (value: T) => URLSearchParams,
): [T, (value: T) => void] {
  const { searchParams } = usePageUrl()
  const [value, setValue] = useState(() => parse(searchParams))
  useEffect(() => {
    const timer = setTimeout(() => {
      const query = serialize(value)
      const search = query.size ? `?${query}` : ''
      if (location.search === search) return
      router.replace({ url: location.pathname + search, preserveState: true, preserveScroll: true })
    }, WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value, serialize])
  return [value, setValue]
}
