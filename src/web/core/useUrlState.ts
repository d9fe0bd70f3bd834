import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { usePageUrl } from './page.ts'

/** Long enough for a burst of typing, short enough for whoever copies the address right after. */
const WRITE_DELAY_MS = 250

/**
 * State that lives in the address, so that it can be shared and survives a reload: begins as what the query says, and
 * is written back a moment after it changed, in place of the entry in the history. `read` and `write` are constants.
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
