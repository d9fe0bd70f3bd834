import { useQuery, queryClient } from '#web/core/queryClient.ts'
import type { ModelCard } from '#contract/models.ts'
import { request } from '#web/core/api.ts'

const modelsQueryKey = ['models'] as const

/** Every model of the plaza. Prices and speeds change while people look, so it goes stale within a minute. */
export const useModelCards = () =>
  useQuery({
    queryKey: modelsQueryKey,
    queryFn: ({ signal }) => request('GET /api/models', {}, { signal }),
    staleTime: 60_000,
  })

/** One model; what the list knew of it is shown until the answer comes. */
export function useModelCard(model: string) {
  return useQuery({
    queryKey: [...modelsQueryKey, model],
    queryFn: ({ signal }) => request('GET /api/chat/models/{model}', { params: { model } }, { signal }),
    placeholderData: () =>
      queryClient
        .getQueryData<{ models: ModelCard[] }>(modelsQueryKey)
        ?.models.find(({ id }) => id === model),
  })
}
