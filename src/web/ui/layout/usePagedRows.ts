import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { VListHandle } from 'virtua'
import { loadNextPage, type PagedQuery } from '#web/core/queryClient.ts'

/** As close to the end, more is loaded. */
const LOAD_AHEAD_PX = 1_200

type Options = {
  /** As useInfiniteQuery returns it. */
  query: PagedQuery & { hasNextPage: boolean; isFetchNextPageError: boolean }
  /** What is loaded. */
  rows: readonly { n: number }[]
  /** The row to go to, which may be on a page that is not loaded yet. */
  target: { n: number } | null
  scrollTo: (list: VListHandle, index: number) => void
}

/** A virtual list whose pages are loaded as it is scrolled, and as far as the row that it is to go to. */
export function usePagedRows({ query, rows, target, scrollTo }: Options) {
  const list = useRef<VListHandle>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  // After a failure the person asks for it: scrolling on would ask again and again.
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
  // Before what is in the row, which may be there already, scrolls on within it.
  useLayoutEffect(() => goTo(), [target, loadedBefore])
  return { list, onScroll }
}
