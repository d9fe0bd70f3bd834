import { z } from 'zod'
import { day, moment } from '#contract/dates/dates.ts'
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
  action: filterWord(transactionActions).optional(),
  /** The kind of run, `chat` for example. */
  source: z.string().min(1).max(120).optional(),
  channel: filterWord(transactionChannels).optional(),
  model: z.string().min(1).max(120).optional(),
  /** An API key of the user's. */
  keyId: filterId.optional(),
  /**
   * Two days in China with all between them (`2026-11-01~2026-11-30`, also with a comma or ` - ` between them), or the last days
   * including today: `today`, `week`, `month`, `year` or a number.
   */
  timeRange: timeRange.optional(),
})
export type TransactionFilter = z.output<typeof transactionFilter>

const transaction = z.object({
  id: z.uuid(),
  action: z.enum(transactionActions),
  /** The kind of run; null for a transfer. */
  source: z.string().nullable(),
  channel: z.enum(transactionChannels).nullable(),
  model: z.string().nullable(),
  platform: z.string().nullable(),
  /** Coins, all decimals: above zero came in, below zero went out. */
  amount: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  created_at: moment,
})
export type Transaction = z.output<typeof transaction>

const coins = z.number()
/** The basis of a charge: enough for anybody to compute it again. */
const bill = z.object({
  /** Coins for a million tokens, per_call for a call, before the discount. Some prices have tiers and kinds. */
  prices: z.record(z.string(), z.unknown()),
  /** 1 is the full price. */
  discount: z.number(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  reasoning_tokens: z.int(),
  units: z.int(),
  times: z.int(),
  /** Units counted beside the tokens, and the tier that was reached. */
  details: z.record(z.string(), z.unknown()).nullable(),
  /** The source of the token counts. */
  usage_source: z.enum(['upstream', 'counted']),
  /** Coins that the usage costs; more than the amount where the balance was too small. */
  computed: coins,
  /** Coins of the amount that gift coins paid. */
  gift: coins,
  /** Platforms that were asked, in order; the last one answered. */
  attempts: z.array(z.object({ platform: z.string(), code: z.string().nullable() })),
  /** From the start to the end of the run. */
  duration_ms: z.int(),
})

const amounts = z.object({ amount: coins, requests: z.int(), tokens: z.int() })

export const statisticsCalls = {
  'GET /api/user/transactions': {
    summary: '收支明细，新的在前；合计是全部符合条件的',
    auth: 'user',
    query: transactionFilter.extend({ page: pageNumber, page_size: pageSize(TRANSACTIONS_PAGE_SIZE) }),
    response: paginated(transaction).extend({
      stats: z.object({ total_in: coins, total_out: coins, total_tokens: z.int() }),
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
    params: z.object({ id: z.uuid() }),
    response: transaction.extend({ bill: bill.nullable() }),
    errors: ['not_found'],
  },
  'GET /api/user/chat_stats': {
    summary: '今天的请求数和 Token，与昨天相比',
    auth: 'user',
    response: dailyMetric.extend({ tokens: dailyMetric }),
  },
  'GET /api/user/amount_stats': {
    summary: '今天花费的金币，与昨天相比',
    auth: 'user',
    response: dailyMetric,
  },
  'GET /api/user/model_amounts': {
    summary: '近七天各模型的花费，多的在前',
    auth: 'user',
    response: z.object({ items: z.array(amounts.extend({ model: z.string() })) }),
  },
  'GET /api/user/charge_amounts': {
    summary: '近七天每天的花费',
    auth: 'user',
    response: z.object({ items: z.array(z.object({ day, amount: coins })) }),
  },
  'GET /api/user/chat_tokens': {
    summary: '近七天每天的 Token',
    auth: 'user',
    response: z.object({
      items: z.array(z.object({ day, input_tokens: z.int(), output_tokens: z.int() })),
    }),
  },
  'GET /api/user/balance/{platform}': {
    summary: '余额，以及近七天和一共在一个平台（all：全部平台）花费的金币',
    auth: 'user',
    params: z.object({ platform: z.string().min(1).max(60) }),
    response: z.object({
      platform: z.string(),
      balance: coins,
      gift_balance: coins,
      week: coins,
      total: coins,
    }),
    errors: ['not_found'],
  },
} as const satisfies Calls
