import type { Figure } from '#contract/stats.ts'
import type { statsCalls } from '#contract/stats.ts'
import type { Received } from '#contract/call.ts'
import { coinsFromMicro } from '../core/coins.ts'
import { dayInChina } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { figuresByDay, figuresByModel } from './store.ts'
import type { DayFigures } from './store.ts'

type PublicStats = Received<(typeof statsCalls)['GET /api/stats']>
export type Stats = { public(): Promise<PublicStats> }

const KEPT_MS = 60_000
const MODELS = 20
const DAY_MS = 86_400_000

/** Public figures. They are the same for everybody, so a minute's answer serves all who ask within it. */
export function openStats(db: Db): Stats {
  let kept: { until: number; answer: Promise<PublicStats> } | null = null
  return {
    public() {
      if (!kept || kept.until < Date.now()) {
        const answer = read(db)
        kept = { until: Date.now() + KEPT_MS, answer }
        // An answer that failed is nobody's.
        answer.catch(() => (kept = null))
      }
      return kept.answer
    },
  }
}

async function read(db: Db): Promise<PublicStats> {
  const [days, weekly_models] = await Promise.all([figuresByDay(db), figuresByModel(db, MODELS)])
  const now = Date.now()
  const of = (ago: number): DayFigures => {
    const day = dayInChina(new Date(now - ago * DAY_MS))
    return days.find((figures) => figures.day === day) ?? { day, requests: 0, amount: 0n, tokens: 0 }
  }
  const [today, yesterday] = [of(0), of(1)]
  return {
    requests: figure(today.requests, yesterday.requests),
    amounts: figure(coinsFromMicro(today.amount), coinsFromMicro(yesterday.amount)),
    tokens: figure(today.tokens, yesterday.tokens),
    weekly_models,
    weekly_tokens: [6, 5, 4, 3, 2, 1, 0].map((ago) => ({ day: of(ago).day, tokens: of(ago).tokens })),
  }
}

/** Growth in percent, one decimal. */
function figure(value: number, old_value: number): Figure {
  return {
    value,
    old_value,
    grow_rate: old_value ? Math.round(((value - old_value) / old_value) * 1000) / 10 : null,
  }
}
