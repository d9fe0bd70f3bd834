import { queryClient, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import type { ChatMessage } from '#contract/chat.ts'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import { request } from '#web/core/api.ts'

const sharesKey = ['shares'] as const
const PAGE_SIZE = 100

/** Loads the links of the signed-in user, the latest first. */
export const useShares = () =>
  useInfiniteQuery({
    queryKey: sharesKey,
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/chat/session/links', { query: { page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
  })

/** To be called after a change. */
export const invalidateShares = () => queryClient.invalidateQueries({ queryKey: sharesKey })

/** Loads every message of a conversation that can be shared, oldest first. */
export const useShareableMessages = (sessId: string) =>
  useQuery({
    queryKey: [...sharesKey, 'messages', sessId],
    queryFn: ({ signal }) => loadShareableMessages(sessId, signal),
    staleTime: 0,
  })

async function loadShareableMessages(sessId: string, signal: AbortSignal): Promise<ChatMessage[]> {
  let all: ChatMessage[] = []
  for (let hasMore = true; hasMore;) {
    const before = all[0]?.id
    const query = { sess_id: sessId, size: PAGE_SIZE, before }
    const { messages, has_more } = await request('GET /api/chat/messages', { query }, { signal })
    all = [...messages, ...all]
    hasMore = has_more && messages.length > 0
  }
  return all.filter((message) => message.status !== 'typing' && withoutErrorText(message).text !== '')
}
