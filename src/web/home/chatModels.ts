import type { ChatModel } from '#contract/models.ts'
import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'

/** Has the key of the chat's own query, so that the models are requested once. */
export const useChatModels = (): readonly ChatModel[] | undefined =>
  useDeferredQuery({
    queryKey: ['chat', 'models'],
    queryFn: ({ signal }) => request('GET /api/chat/models', {}, { signal }),
    staleTime: 60_000,
  }).data?.models

export type Maker = { name: string; models: ChatModel[] }

/**
 * The makers whose models can be asked here; without any platform configured, all makers in the catalogue. Models keep the
 * catalogue's order. The local model has no maker.
 */
export function listMakers(models: readonly ChatModel[]): { isReached: boolean; makers: Maker[] } {
  const real = models.filter(({ local }) => !local)
  const usableModels = real.filter(({ available }) => available)
  const byMaker = Map.groupBy(
    usableModels.length ? usableModels : real,
    ({ vendor, platform }) => vendor || platform,
  )
  return {
    isReached: usableModels.length > 0,
    makers: [...byMaker].map(([name, theirs]) => ({ name, models: theirs })),
  }
}
