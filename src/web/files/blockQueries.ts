import type { Block } from '#contract/blocks.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'

/** Uploads of the chat and documents form one collection, so that a file is read once for both. */
export const BLOCK_CHANNEL = 'block'

const blocksKey = ['blocks'] as const
export const toBlockKey = (id: string) => [...blocksKey, 'one', id] as const
export const READING_POLL_MS = 1_000

export const isBeingRead = ({ status }: Pick<Block, 'status'>): boolean => status < 2

/** Tells whether some of a document has been read, or it is a picture, which models can see. */
export const isAskable = ({ pieces, visible, status }: Block): boolean =>
  pieces > 0 || visible || status === 2

/** A document, polled while it is being read. */
export const useBlock = (id: string) =>
  useQuery({
    queryKey: toBlockKey(id),
    queryFn: async ({ signal }) =>
      (await request('GET /api/block/{id}', { params: { id } }, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isBeingRead(data) ? READING_POLL_MS : false),
  })

export const blockListKey = [...blocksKey, 'list'] as const

/** To be called after a change. The documents themselves are not refetched, because they may be being read. */
export const invalidateBlocks = () => queryClient.invalidateQueries({ queryKey: blockListKey })

/** Stores a document that is known without a request, for example after an upload. */
export function rememberBlock(block: Block): void {
  queryClient.setQueryData(toBlockKey(block.id), block)
}
