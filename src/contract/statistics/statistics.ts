import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { modelId } from '#contract/ids/ids.ts'
import { createdAt, day } from '#contract/dates/dates.ts'
import type { Calls } from '#contract/call.ts'
import { filterId, filterWord, pageNumber, pageSize, paginated } from '#contract/paging.ts'
import { timeRange } from './time-range.ts'
import { dailyMetric } from '#contract/stats.ts'

/** Reasons why coins moved: a run, or one of the ledger's transfers. */
const transactionActions = [
  'charge',
  'recharge',
  'signup',
  'grant',
  'reward',
  'refund',
  'transfer',
  'forfeit',
] as const
const transactionChannels = ['web', 'api', 'widget'] as const

/** The page size of the specification (section 9). */
const TRANSACTIONS_PAGE_SIZE = 10

/** Filter of the transactions; an absent field admits everything. */
const transactionFilter = z.object({
  action: filterWord(transactionActions).optional().describe('收支的种类'),
  source: z.string().min(1).max(120).optional().describe('用途，如 chat'),
  channel: filterWord(transactionChannels).optional().describe('途径：web 网页、api 密钥、widget 网站嵌入'),
  model: modelId.optional(),
  keyId: filterId.optional().describe('密钥的编号'),
  /**
   * Two days in China with all between them (`2026-11-01~2026-11-30`, also with a comma or ` - ` between them), or the last days
   * including today: `today`, `week`, `month`, `year` or a number.
   */
  timeRange: timeRange
    .optional()
    .describe('时间范围：两个日期，如 2026-11-01~2026-11-30；或最近一段，如 today、week、month、year、7'),
})
export type TransactionFilter = z.output<typeof transactionFilter>

const transaction = z.object({
  id: z.uuid().describe('明细的编号'),
  action: z.enum(transactionActions).describe('收支的种类'),
  source: z.string().nullable().describe('用途，如 chat；转账则为空'),
  channel: z
    .enum(transactionChannels)
    .nullable()
    .describe('途径：web 网页、api 密钥、widget 网站嵌入；转账则为空'),
  model: z.string().nullable().describe('模型 ID；转账则为空'),
  platform: z.string().nullable().describe('平台；转账则为空'),
  amount: z.number().describe('金额，单位金币：大于 0 为收入，小于 0 为支出'),
  ...tokenCounts,
  created_at: createdAt,
})
export type Transaction = z.output<typeof transaction>

const coins = z.number()
/** The basis of a charge: enough for anybody to compute it again. */
const bill = z.object({
  prices: z.record(z.string(), z.unknown()).describe('单价（折前），单位金币：每百万 Token，per_call 为每次'),
  discount: z.number().describe('折扣：1 为原价，0 为免费'),
  cached_tokens: z.int().describe('命中缓存的 Token 数'),
  cache_write_tokens: z.int().describe('写入缓存的 Token 数'),
  reasoning_tokens: z.int().describe('思考的 Token 数'),
  units: z.int().describe('计费的用量'),
  times: z.int().describe('按次计费的次数'),
  details: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('另外计数的用量，以及用到的价格段；没有则为空'),
  usage_source: z.enum(['upstream', 'counted']).describe('用量的来源：平台报告或估算'),
  /** Coins that the usage costs; more than the amount where the balance was too small. */
  computed: coins.describe('由单价与用量算出的金额，单位金币'),
  gift: coins.describe('其中用赠送金币支付的，单位金币'),
  attempts: z
    .array(
      z.object({
        platform: z.string().describe('平台'),
        code: z.string().nullable().describe('失败的代码；成功则为空'),
      }),
    )
    .describe('请求过的平台，最后一个作出回答'),
  /** From the start to the end of the run. */
  duration_ms: z.int().describe('用时，毫秒'),
})

const amounts = z.object({
  amount: coins.describe('金额，单位金币'),
  requests: z.int().describe('请求数'),
  tokens: z.int().describe('Token 数'),
})

export const statisticsCalls = {
  'GET /api/user/transactions': {
    summary: '收支明细，新的在前；合计是全部符合条件的',
    auth: 'user',
    query: transactionFilter.extend({ page: pageNumber, page_size: pageSize(TRANSACTIONS_PAGE_SIZE) }),
    response: paginated(transaction).extend({
      stats: z
        .object({
          total_in: coins.describe('收入合计，单位金币'),
          total_out: coins.describe('支出合计，单位金币'),
          total_tokens: z.int().describe('Token 合计'),
        })
        .describe('全部符合条件的合计'),
    }),
  },
  'GET /api/user/transactions/export': {
    summary: '收支明细的 CSV 文件，最多五万行，新的在前',
    auth: 'user',
    query: transactionFilter,
    response: 'file',
  },
  'GET /api/user/transactions/{id}': {
    summary: '一条明细和它的账单',
    auth: 'user',
    params: z.object({ id: z.uuid().describe('明细的编号') }),
    response: transaction.extend({ bill: bill.nullable().describe('账单；转账则为空') }),
    errors: ['not_found'],
  },
  'GET /api/user/chat_stats': {
    summary: '今天的请求数和 Token，与昨天相比',
    auth: 'user',
    response: dailyMetric.extend({ tokens: dailyMetric.describe('Token 数，与昨天相比') }),
  },
  'GET /api/user/amount_stats': {
    summary: '今天花费的金币，与昨天相比',
    auth: 'user',
    response: dailyMetric,
  },
  'GET /api/user/model_amounts': {
    summary: '近七天各模型的花费，多的在前',
    auth: 'user',
    response: z.object({
      items: z.array(amounts.extend({ model: z.string().describe('模型 ID') })).describe('各模型的花费'),
    }),
  },
  'GET /api/user/charge_amounts': {
    summary: '近七天每天的花费',
    auth: 'user',
    response: z.object({
      items: z.array(z.object({ day, amount: coins.describe('金额，单位金币') })).describe('每天的花费'),
    }),
  },
  'GET /api/user/chat_tokens': {
    summary: '近七天每天的 Token',
    auth: 'user',
    response: z.object({
      items: z
        .array(
          z.object({
            day,
            ...tokenCounts,
          }),
        )
        .describe('每天的 Token'),
    }),
  },
  'GET /api/user/balance/{platform}': {
    summary: '余额，以及近七天和一共在一个平台（all：全部平台）花费的金币',
    auth: 'user',
    params: z.object({ platform: z.string().min(1).max(60).describe('平台的名称；all 为全部平台') }),
    response: z.object({
      platform: z.string().describe('平台'),
      balance: coins.describe('余额，单位金币'),
      gift_balance: coins.describe('余额里的赠送金币：最先使用，只能自己使用'),
      week: coins.describe('近七天在这个平台的花费，单位金币'),
      total: coins.describe('一共在这个平台的花费，单位金币'),
    }),
    errors: ['not_found'],
  },
} as const satisfies Calls
