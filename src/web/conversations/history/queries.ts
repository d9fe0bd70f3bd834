import { keepPreviousData, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import { request } from '#web/core/api.ts'
import { sessionsKey } from '#web/conversations/conversations.ts'

type SessionsFilter = {
  /** Chatbot of the conversations; the general assistant when absent. */
  chatbot?: string | undefined
  /** `archived` for archived conversations only. */
  tab?: 'active' | 'archived'
  /** Id of a folder, or `none` for conversations outside of folders; all when absent. */
  folder_id?: string | undefined
}

/** Pages of the person's conversations; with keywords, of those in which the keywords are found, in any folder. */
export function useSessions(keywords: string, { chatbot, tab = 'active', folder_id }: SessionsFilter = {}) {
  return useInfiniteQuery({
    queryKey: [
      ...sessionsKey,
      ...(chatbot ? [{ chatbot }] : []),
      ...(keywords ? [keywords] : []),
      ...(tab === 'archived' ? [{ tab }] : []),
      ...(folder_id && folder_id !== 'none' ? [{ folder_id }] : []),
    ],
    queryFn: ({ pageParam, signal }) =>
      request(
        'GET /api/chat/sessions',
        { query: { page: pageParam, keywords, chatbot, tab, folder_id } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
    // Keeps the last search's results until the next ones arrive.
    placeholderData: keywords ? keepPreviousData : undefined,
  })
}

/** The person's folders. Not requested for guests, who have none. */
export const useFolders = (enabled: boolean) =>
  useQuery({
    queryKey: [...sessionsKey, { folders: true }],
    queryFn: async ({ signal }) => (await request('GET /api/chat/folders', {}, { signal })).folders,
    enabled,
  })
