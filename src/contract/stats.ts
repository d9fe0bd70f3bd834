import { z } from 'zod'
import { day } from './dates/dates.ts'
import type { Calls } from './call.ts'

/**
 * A figure of today beside yesterday's; `grow_rate` in percent with one decimal: 100 for something after nothing, 0 for nothing
 * after nothing.
 */
export const dailyMetric = z.object({
  value: z.number(),
  old_value: z.number(),
  grow_rate: z.number(),
})
export type DailyMetric = z.output<typeof dailyMetric>

export const statsCalls = {
  'GET /api/stats': {
    summary: '平台公开数据：今日请求数、金额与 Token，近七天各模型的用量',
    auth: 'public',
    response: z.object({
      requests: dailyMetric,
      /** Coins. */
      amounts: dailyMetric,
      tokens: dailyMetric,
      /** Tokens of the last seven days by model, most used first. */
      weekly_models: z
        .array(z.object({ model: z.string(), tokens: z.number(), requests: z.int() }))
        .describe('近七天各模型的用量，多的在前'),
      /** One entry a day, oldest first, `2026-11-21`. */
      weekly_tokens: z.array(z.object({ day, tokens: z.number() })).describe('近七天每天用了多少 Token'),
    }),
  },
} as const satisfies Calls
