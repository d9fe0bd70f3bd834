import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { ModelCard } from '#contract/models.ts'
import { request } from '../../core/api.ts'

type Tokens = { input: number; output: number }

/** What the tokens cost on each platform of each model: one call a model, as the server would bill it. */
export function useCosts(cards: readonly ModelCard[], tokens: Tokens | null) {
  return useQueries({
    queries: cards.map(({ id, type }) => ({
      queryKey: ['costs', id, type, tokens],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        request(
          'POST /api/token/costs',
          { body: { model: id, type, input_tokens: tokens?.input ?? 0, output_tokens: tokens?.output ?? 0 } },
          { signal },
        ),
      enabled: tokens !== null,
      // While somebody types, the numbers of a moment ago stay.
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    })),
    combine: (results) => ({
      answers: results.flatMap(({ data }) => data ?? []),
      pending: results.some(({ isPending, isFetching }) => isPending && isFetching),
      error: results.find(({ error }) => error)?.error ?? null,
      retry: () => {
        for (const result of results) if (result.isError) void result.refetch()
      },
    }),
  })
}
