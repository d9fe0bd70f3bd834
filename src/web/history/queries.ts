import { keepPreviousData, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import { request } from '#web/core/api.ts'
import { sessionsKey } from '#web/conversations/conversations.ts'

type SessionsFilter = {
  /** With whom; the general assistant when absent. */
  chatbot?: string | undefined
  /** `archived`: those that were put away. */
  tab?: 'active' | 'archived'
  /** Those in this folder; with `none` those in no folder; all when absent. */
  folder_id?: string | undefined
}

/** The person's conversations page by page; with keywords, those in which they are found, wherever they lie. */
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
    // While the next letter is looked for, what the last one found stays.
    placeholderData: keywords ? keepPreviousData : undefined,
  })
}

/** The person's folders; guests have none, and nothing is asked for them. */
export const useFolders = (enabled: boolean) =>
  useQuery({
    queryKey: [...sessionsKey, { folders: true }],
    queryFn: async ({ signal }) => (await request('GET /api/chat/folders', {}, { signal })).folders,
    enabled,
  })
