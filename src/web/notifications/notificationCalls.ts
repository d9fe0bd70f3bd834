import { useEffect, useRef } from 'react'
import type { NotificationChannel } from '#contract/notifications/notifications.ts'
import { request } from '#web/core/api.ts'
import { keepPreviousData, queryClient, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import { useUser, userQueryKey } from '#web/core/user.ts'
import { messagesText } from '#web/text/account/notifications.ts'
import { withToast } from '#web/ui/withToast.ts'

const messagesKey = ['messages'] as const

/** Poll interval of a visible page, milliseconds. Coming back to the page polls at once. */
const UNREAD_POLL_MS = 15_000

/**
 * Polls the newest unread messages of the person, and how many there are. With a new message the user is fetched again: a payment
 * on another device, a reward or a refund has changed balance or level.
 */
export function useUnread() {
  const user = useUser()
  const query = useQuery({
    queryKey: [...messagesKey, 'unread', user?.uuid ?? null],
    queryFn: ({ signal }) => request('GET /api/notifications/unread', { query: {} }, { signal }),
    enabled: user !== null,
    refetchInterval: UNREAD_POLL_MS,
  })
  const newest = query.data && (query.data.notifications[0]?.uuid ?? null)
  const lastNewest = useRef(newest)
  useEffect(() => {
    if (lastNewest.current !== undefined && newest && newest !== lastNewest.current)
      void queryClient.invalidateQueries({ queryKey: userQueryKey })
    lastNewest.current = newest
  }, [newest])
  return query
}

/** Loads a page of the person's messages; `channel` null means all channels. */
export const useNotifications = (channel: NotificationChannel | null, page: number) =>
  useQuery({
    queryKey: [...messagesKey, 'list', channel, page],
    queryFn: ({ signal }) =>
      request('GET /api/user/messages', { query: { ...(channel ? { channel } : {}), page } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useReleases = () =>
  useInfiniteQuery({
    queryKey: ['releases'],
    queryFn: ({ pageParam: page, signal }) => request('GET /api/releases', { query: { page } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next_page }) => next_page,
  })

export async function markAllAsRead(): Promise<void> {
  await withToast(
    () => request('PUT /api/notifications/mark_all_as_read', {}, { failed: messagesText.markFailed }),
    { done: messagesText.marked },
  )
  await queryClient.invalidateQueries({ queryKey: messagesKey })
}
