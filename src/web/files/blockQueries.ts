import type { Block } from '#contract/blocks.ts'
import { canModelsSee } from '#contract/uploads.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'

/** What is uploaded in the chat and among the documents is one collection: a file is read once for both. */
export const BLOCK_CHANNEL = 'block'

const blocksKey = ['blocks'] as const
export const toBlockKey = (id: string) => [...blocksKey, 'one', id] as const
export const READING_POLL_MS = 1_000

export const isBeingRead = ({ status }: Pick<Block, 'status'>): boolean => status < 2

/** Something of it has been read, or it is a picture, which a model may look at by itself. */
export const isAskable = ({ pieces, type, status }: Block): boolean =>
  pieces > 0 || canModelsSee(type) || status === 2

/** A document; asked for again and again while it is being read. */
export const useBlock = (id: string) =>
  useQuery({
    queryKey: toBlockKey(id),
    queryFn: async ({ signal }) =>
      (await request('GET /api/block/{id}', { params: { id } }, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isBeingRead(data) ? READING_POLL_MS : false),
  })

export const blockListKey = [...blocksKey, 'list'] as const

/** To be called after a change. What was asked about the documents themselves is not asked again: they may be being read. */
export const invalidateBlocks = () => queryClient.invalidateQueries({ queryKey: blockListKey })

/** Takes over what is known of a document without asking, as when an upload has just ended. */
export function rememberBlock(block: Block): void {
  queryClient.setQueryData(toBlockKey(block.id), block)
}
