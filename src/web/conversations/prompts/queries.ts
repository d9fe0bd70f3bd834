import { queryClient, keepPreviousData, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import { request } from '#web/core/api.ts'

const promptsKey = ['prompts'] as const
/** Most prompts that the list behind `/` can be filtered through. */
const SLASH_SIZE = 100
const PAGE_SIZE = 30

/** Loads the prompts that are offered while `/…` is being typed. */
export const useSlashPrompts = () =>
  useQuery({
    queryKey: [...promptsKey, 'slash'],
    queryFn: ({ signal }) => request('GET /api/chat/prompts', { query: { size: SLASH_SIZE } }, { signal }),
    staleTime: 60_000,
  })

/** Loads the prompts of a category (`own`, or all when empty) that contain every word of `q`, page by page. */
export const usePrompts = (filter: { q: string; category: string }) =>
  useInfiniteQuery({
    queryKey: [...promptsKey, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request(
        'GET /api/chat/prompts',
        { query: { ...filter, page: pageParam, size: PAGE_SIZE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
    placeholderData: keepPreviousData,
  })

/** To be called after a change. */
export const invalidatePrompts = () => queryClient.invalidateQueries({ queryKey: promptsKey })
