import { keepPreviousData, useInfiniteQuery } from '#web/core/queryClient.ts'
import { useEffect, useRef } from 'react'
import { request } from '#web/core/api.ts'
import { sessionsKey } from '#web/conversations/conversations.ts'

/**
 * The person's conversations page by page: with the general assistant or, where a chatbot is named, with that one; with
 * keywords, those in which they are found. `archived`: those that were put away.
 */
export function useSessions(keywords: string, chatbot?: string, tab: 'active' | 'archived' = 'active') {
  return useInfiniteQuery({
    queryKey: [
      ...sessionsKey,
      ...(chatbot ? [{ chatbot }] : []),
      ...(keywords ? [keywords] : []),
      ...(tab === 'archived' ? [{ tab }] : []),
    ],
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/chat/sessions', { query: { page: pageParam, keywords, chatbot, tab } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
    // While the next letter is looked for, what the last one found stays.
    placeholderData: keywords ? keepPreviousData : undefined,
  })
}

/** The place after the last row: whenever it comes near the screen, `onShown` is called. */
export function useEndReached(onReached: () => void) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReached(), {
      rootMargin: '200px',
    })
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  })
  return ref
}
