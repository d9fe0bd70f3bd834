import { useEffect, useRef } from 'react'
import { loadNextPage } from '#web/core/queryClient.ts'
import { HistoryError } from './HistoryError.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import type { useSessions } from './queries.ts'

/**
 * The end of a list of conversations: when it comes near the screen, the next page is loaded. After a failure the person
 * asks for it, since the end would stay there and ask again and again.
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
