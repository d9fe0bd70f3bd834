import type { QuestionKind } from '#contract/compare-limits.ts'
import { request } from '#web/core/api.ts'
import { keepPreviousData, useQuery } from '#web/core/queryClient.ts'

/** To be invalidated after a vote. */
export const scoreboardKey = ['compare', 'scoreboard'] as const

/** The person's own scoreboard, limited to the last `days` or to a kind of question where given. */
export const useScoreboard = (days: number | null, kind: QuestionKind | null) =>
  useQuery({
    queryKey: [...scoreboardKey, days, kind],
    queryFn: ({ signal }) =>
      request(
        'GET /api/compare/scoreboard',
        { query: { ...(days ? { days } : {}), ...(kind ? { kind } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
