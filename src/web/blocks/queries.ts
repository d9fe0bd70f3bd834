import type { InfiniteData } from '@tanstack/react-query'
import type { Block, BlockDetail } from '#contract/blocks.ts'
import { request } from '#web/core/api.ts'
import { BLOCK_CHANNEL, blocksKey, isBeingRead, READING_POLL_MS, toBlockKey } from '#web/files/files.ts'
import { useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'

/** The person's documents, the newest first. */
export const useBlocks = () =>
  useInfiniteQuery({
    queryKey: [...blocksKey, 'list'],
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/blocks', { query: { page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isBeingRead)) ? READING_POLL_MS : false,
  })

/** What was read of a document, from its beginning; `created` changes when it is read again. */
export const usePieces = ({ id, report, chars }: Block) =>
  useInfiniteQuery({
    queryKey: [...toBlockKey(id), 'pieces', chars, report?.read ?? 0],
    queryFn: async ({ pageParam, signal }) =>
      (
        await request(
          'GET /api/block/{id}/detail',
          { params: { id }, query: { after: pageParam } },
          { signal },
        )
      ).data,
    initialPageParam: 0,
    getNextPageParam: getNextPiece,
    staleTime: 60_000,
  })

/** One piece, to know where it stands. */
export const usePiece = (id: string, n: number | null) =>
  useQuery({
    queryKey: [...toBlockKey(id), 'piece', n],
    queryFn: async ({ signal }) => {
      const input = { params: { id }, query: { after: (n ?? 1) - 1 } }
      const { data } = await request('GET /api/block/{id}/detail', input, { signal })
      return data.items.find((piece) => piece.n === n) ?? null
    },
    enabled: n !== null,
    staleTime: 60_000,
  })

const getNextPiece = ({ has_more, items }: BlockDetail): number | null =>
  has_more ? (items.at(-1)?.n ?? null) : null

export const listPieces = (data: InfiniteData<BlockDetail, number>) =>
  data.pages.flatMap(({ items }) => items)

/** The conversation that was held last in a channel, null where none was. Asked once for a page: it goes on by itself. */
export const useLatestSession = (chatbot: string) =>
  useQuery({
    queryKey: ['chat', 'latest', chatbot],
    queryFn: async ({ signal }) => {
      const { items } = await request('GET /api/chat/sessions', { query: { chatbot } }, { signal })
      return items[0]?.id ?? null
    },
    staleTime: Infinity,
    gcTime: 0,
  })

/**
 * What a read document is about and what could be asked of it: written once, at the owner's cost, when the first conversation
 * about it is opened.
 */
export const useSummary = ({ id, chars, status }: Block) =>
  useQuery({
    queryKey: [...toBlockKey(id), 'summary', chars],
    queryFn: async ({ signal }) =>
      (await request('POST /api/block/{id}/summary', { params: { id }, body: {} }, { signal })).data,
    enabled: status === 2 && chars > 0,
    staleTime: Infinity,
    retry: false,
  })

/** What can be done with documents. */
export const blockCalls = {
  /** All of it, or some pages of a PDF from their pictures. */
  retry: ({ id }: Block, pages?: number[]) =>
    request('POST /api/block/{id}/retry', { params: { id }, body: { pages } }),
  cancel: ({ id }: Block) => request('POST /api/block/{id}/cancel', { params: { id } }),
  remove: ({ id }: Block) => request('DELETE /api/block/{id}', { params: { id } }),
  addLink: (url: string) =>
    request('GET /api/block/link/extract', { query: { url, channel: BLOCK_CHANNEL } }),
}
