import type { DailyMetric } from '#contract/stats.ts'
import type { statsCalls } from '#contract/stats.ts'
import type { CallResponse } from '#contract/call.ts'
import { toCoins } from '#server/core/coins.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { listFiguresByDay, listFiguresByModel } from './store.ts'
import type { DayFigures } from './store.ts'

type PublicStats = CallResponse<(typeof statsCalls)['GET /api/stats']>
export type Stats = { getPublic(): Promise<PublicStats> }

const CACHE_MS = 60_000
const MAX_MODELS = 20
const DAY_MS = 86_400_000

/** Public figures. They are the same for everybody, so one answer serves all requests of a minute. */
export function createStats(db: Db): Stats {
  let cached: { until: number; answer: Promise<PublicStats> } | null = null
  return {
    getPublic() {
      if (!cached || cached.until < Date.now()) {
        const answer = loadPublicStats(db)
        cached = { until: Date.now() + CACHE_MS, answer }
        // A failed answer is not kept.
        answer.catch(() => (cached = null))
      }
      return cached.answer
    },
  }
}

async function loadPublicStats(db: Db): Promise<PublicStats> {
  const [days, weeklyModels] = await Promise.all([listFiguresByDay(db), listFiguresByModel(db, MAX_MODELS)])
  const now = Date.now()
  const figuresOn = (daysAgo: number): DayFigures => {
    const day = toChinaDay(new Date(now - daysAgo * DAY_MS))
    return days.find((figures) => figures.day === day) ?? { day, requests: 0, amount: 0n, tokens: 0 }
  }
  const [today, yesterday] = [figuresOn(0), figuresOn(1)]
  return {
    requests: toDailyMetric(today.requests, yesterday.requests),
    amounts: toDailyMetric(toCoins(today.amount), toCoins(yesterday.amount)),
    tokens: toDailyMetric(today.tokens, yesterday.tokens),
    weekly_models: weeklyModels,
    weekly_tokens: [6, 5, 4, 3, 2, 1, 0].map((daysAgo) => ({
      day: figuresOn(daysAgo).day,
      tokens: figuresOn(daysAgo).tokens,
    })),
  }
}

/** A figure of today with its growth since yesterday. */
export function toDailyMetric(value: number, oldValue: number): DailyMetric {
  const growth = oldValue ? (value - oldValue) / oldValue : Math.sign(value)
  return { value, old_value: oldValue, grow_rate: Math.round(growth * 1000) / 10 }
}
