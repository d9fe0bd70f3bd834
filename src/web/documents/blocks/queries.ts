import type { InfiniteData } from '@tanstack/react-query'
import type { Block, BlockDetail } from '#contract/blocks.ts'
import { request } from '#web/core/api.ts'
import { BLOCK_CHANNEL, blockListKey, isBeingRead, READING_POLL_MS, toBlockKey } from '#web/files/files.ts'
import { queryClient, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'

export const useBlocks = () =>
  useInfiniteQuery({
    queryKey: blockListKey,
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/blocks', { query: { page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isBeingRead)) ? READING_POLL_MS : false,
  })

/** The text read from a document, from its beginning; another reading, with other counts, is fetched anew. */
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

/** Most pieces of a PDF that a passage can span: it ends with its page, and a page is a piece or two. */
const PASSAGE_PIECES = 3

/** The piece that a passage of a PDF begins in and those after it, which give its text and page. */
export const usePassagePieces = ({ id, chars }: Block, n: number | null) =>
  useQuery({
    queryKey: [...toBlockKey(id), 'passage', chars, n],
    queryFn: async ({ signal }) => {
      const input = { params: { id }, query: { after: (n ?? 1) - 1, size: PASSAGE_PIECES } }
      return (await request('GET /api/block/{id}/detail', input, { signal })).data.items
    },
    enabled: n !== null,
    staleTime: 60_000,
  })

const getNextPiece = ({ has_more, items }: BlockDetail): number | null =>
  has_more ? (items.at(-1)?.n ?? null) : null

export const listPieces = (data: InfiniteData<BlockDetail, number>) =>
  data.pages.flatMap(({ items }) => items)

const toSummaryKey = ({ id, chars }: Block) => [...toBlockKey(id), 'summary', chars]

/** The summary of a read document with suggested questions, or the estimated cost of having it written. */
export const useSummary = (block: Block) => {
  const { id, chars, status } = block
  return useQuery({
    queryKey: toSummaryKey(block),
    queryFn: async ({ signal }) =>
      (await request('GET /api/block/{id}/summary', { params: { id }, query: {} }, { signal })).data,
    enabled: status === 2 && chars > 0,
    staleTime: Infinity,
    retry: false,
  })
}

/** Has the summary of a document written, at its owner's cost, and shows it. */
export async function writeSummary(block: Block): Promise<void> {
  const params = { id: block.id }
  const { data } = await request('POST /api/block/{id}/summary', { params, body: {} })
  const queryKey = toSummaryKey(block)
  // Another tab may be at it, or the model did not keep to the form: the offer stands again.
  if (data.summary === null) await queryClient.invalidateQueries({ queryKey })
  else queryClient.setQueryData(queryKey, { ...data, cost: null })
}

/** The available models that accept images; none where the operator has configured none. */
export const useVisionModels = (enabled: boolean) =>
  useQuery({
    queryKey: ['models', 'vision'],
    queryFn: async ({ signal }) => {
      const { models } = await request('GET /api/chat/models', {}, { signal })
      return models.filter(({ available, capabilities }) => available && capabilities.includes('vision'))
    },
    enabled,
    staleTime: 60_000,
  })

/** Estimated tokens of a page as a picture, and of the text of a full page. The charge is for actual use. */
const PAGE_INPUT_TOKENS = 2_000
const PAGE_OUTPUT_TOKENS = 1_500

/** Estimated cost, in coins, of having a model read pages from their pictures: on its cheapest and on its dearest platform. */
export const useRereadCost = (model: string, pages: number) =>
  useQuery({
    queryKey: ['costs', 'reread', model, pages],
    queryFn: async ({ signal }) => {
      const body = { model, input_tokens: PAGE_INPUT_TOKENS, output_tokens: PAGE_OUTPUT_TOKENS, times: 1 }
      const { costs } = await request('POST /api/token/costs', { body }, { signal })
      const totals = costs.map(({ total }) => total * pages)
      return { min: Math.min(...totals), max: Math.max(...totals) }
    },
    staleTime: 60_000,
  })

/** Pages of a PDF to read again, all of the document when absent; and the model, the server's OCR when absent. */
export type Reread = { pages?: number[] | undefined; model?: string }

export const blockCalls = {
  retry: ({ id }: Block, body: Reread) => request('POST /api/block/{id}/retry', { params: { id }, body }),
  cancel: ({ id }: Block) => request('POST /api/block/{id}/cancel', { params: { id } }),
  remove: ({ id }: Block) => request('DELETE /api/block/{id}', { params: { id } }),
  addLink: (url: string) =>
    request('GET /api/block/link/extract', { query: { url, channel: BLOCK_CHANNEL } }),
}
