import { z } from 'zod'
import { day } from './dates/dates.ts'
import type { Calls } from './call.ts'

/**
 * A figure of today beside yesterday's; `grow_rate` in percent with one decimal: 100 for something after nothing, 0 for nothing
 * after nothing.
 */
export const dailyMetric = z.object({
  value: z.number().describe('今天的值'),
  old_value: z.number().describe('昨天的值'),
  grow_rate: z.number().describe('比昨天增长的百分比，一位小数'),
})
export type DailyMetric = z.output<typeof dailyMetric>

export const statsCalls = {
  'GET /api/stats': {
    summary: '平台公开数据：今日请求数、金额与 Token，近七天各模型的用量',
    auth: 'public',
    response: z.object({
      requests: dailyMetric.describe('今日请求数'),
      amounts: dailyMetric.describe('今日金额，单位金币'),
      tokens: dailyMetric.describe('今日 Token 数'),
      weekly_models: z
        .array(
          z.object({
            model: z.string().describe('模型 ID'),
            tokens: z.number().describe('Token 数'),
            requests: z.int().describe('请求数'),
          }),
        )
        .describe('近七天各模型的用量，多的在前'),
      weekly_tokens: z
        .array(z.object({ day, tokens: z.number().describe('Token 数') }))
        .describe('近七天每天用了多少 Token，早的在前'),
    }),
  },
} as const satisfies Calls
