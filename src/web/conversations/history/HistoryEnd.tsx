import { useEffect, useRef } from 'react'
import { loadNextPage } from '#web/core/queryClient.ts'
import { HistoryError } from './HistoryError.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import type { useSessions } from './queries.ts'

/**
 * The end of a list of conversations: loads the next page when it comes near the screen. After a failure the person must ask for
 * it, because the end stays in sight and would request it again and again.
 */
export function HistoryEnd({ query }: { query: ReturnType<typeof useSessions> }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const ref = useRef<HTMLDivElement>(null)
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && isWaiting && void loadNextPage(query),
      { rootMargin: '200px' },
    )
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  })
  return (
    <div ref={ref}>
      {isFetchingNextPage ? (
        <HistorySkeleton />
      ) : (
        isFetchNextPageError && <HistoryError onRetry={() => void loadNextPage(query)} />
      )}
    </div>
  )
}
