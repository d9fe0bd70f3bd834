import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { VListHandle } from 'virtua'
import { loadNextPage, type PagedQuery } from '#web/core/queryClient.ts'

/** Distance from the end below which more is loaded. */
const LOAD_AHEAD_PX = 1_200

type Options = {
  /** As useInfiniteQuery returns it. */
  query: PagedQuery & { hasNextPage: boolean; isFetchNextPageError: boolean }
  /** The loaded rows. */
  rows: readonly { n: number }[]
  /** The row to scroll to, which may be on a page not loaded yet. */
  target: { n: number } | null
  scrollTo: (list: VListHandle, index: number) => void
}

/** Controls a virtual list: loads pages on scrolling, and up to the target row. */
export function usePagedRows({ query, rows, target, scrollTo }: Options) {
  const list = useRef<VListHandle>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  // After a failure the person retries, since scrolling would retry endlessly.
  const loadMore = () =>
    hasNextPage && !isFetchingNextPage && !isFetchNextPageError && void loadNextPage(query)
  const onScroll = (offset: number) => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    if (offset + viewportSize > scrollSize - LOAD_AHEAD_PX) loadMore()
  }
  const goTo = useEffectEvent(() => {
    if (!target) return
    const index = rows.findIndex(({ n }) => n === target.n)
    if (index < 0) loadMore()
    else if (list.current) scrollTo(list.current, index)
  })
  const isThere = target !== null && rows.some(({ n }) => n === target.n)
  const loadedBefore = isThere ? null : rows.length
  // In a layout effect, before elements in the row, which may exist already, scroll further within it.
  useLayoutEffect(() => goTo(), [target, loadedBefore])
  return { list, onScroll }
}
