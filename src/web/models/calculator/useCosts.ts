import { keepPreviousData, useQuery } from '#web/core/queryClient.ts'
import type { ModelCard } from '#contract/models.ts'
import { request } from '#web/core/api.ts'
import { calculatorText } from '#web/text/models.ts'

type Tokens = { input: number; output: number; times: number }

/** Loads the cost of the tokens on each platform of each model, as the server would bill it. One call a model, in parallel. */
export function useCosts(cards: readonly ModelCard[], tokens: Tokens | null) {
  return useQuery({
    queryKey: ['costs', cards.map(({ id }) => id), tokens],
    queryFn: ({ signal }) =>
      Promise.all(
        cards.map(({ id, type }) => {
          const body = {
            model: id,
            type,
            input_tokens: tokens?.input,
            output_tokens: tokens?.output,
            times: tokens?.times,
          }
          return request('POST /api/token/costs', { body }, { signal, failed: calculatorText.failed })
        }),
      ),
    enabled: tokens !== null && cards.length > 0,
    // While the person types, the previous numbers stay.
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
