import { useQuery, queryClient } from '#web/core/queryClient.ts'
import type { ModelCard } from '#contract/models.ts'
import { request } from '#web/core/api.ts'

const modelsQueryKey = ['models'] as const

/** Loads every model of the plaza. Prices and speeds keep changing, so the list goes stale within a minute. */
export const useModelCards = () =>
  useQuery({
    queryKey: modelsQueryKey,
    queryFn: ({ signal }) => request('GET /api/models', {}, { signal }),
    staleTime: 60_000,
  })

/** Loads one model. Until it arrives, the entry of the loaded list is shown. */
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
