import type { AnswerRoute } from '#contract/chat.ts'
import type { RoutePlan } from '#server/llm/llm.ts'

/** What is kept of a plan, so that it can be explained later. */
export type StoredPlan = Pick<AnswerRoute, 'strategy' | 'provider_sort' | 'candidates'>

export function toStoredPlan({ preference, candidates }: RoutePlan): StoredPlan {
  return {
    strategy: preference.strategy,
    provider_sort: preference.provider_sort,
    candidates: candidates.map(({ platform, state, reason, price, latency_ms, throughput, uptime }) => ({
      platform,
      state,
      reason,
      price,
      latency_ms,
      throughput,
      uptime,
    })),
  }
}
