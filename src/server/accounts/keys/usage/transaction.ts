import { AppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { findBill } from './store.ts'

/** A discount of 10,000 is the full price (core/coins.ts). */
const FULL_DISCOUNT = 10_000

const CHANNELS = { key: 'api', widget: 'widget', none: 'web' } as const

/** The bill of one of the user's runs (reference-product, "Money"). Throws AppError not_found. */
export async function getTransaction(db: Db, userId: string, runId: string) {
  const bill = await findBill(db, userId, runId)
  if (!bill) throw new AppError('not_found')
  const { input_tokens, output_tokens, cache_write_tokens, units, times, model } = bill
  const tokens = input_tokens + output_tokens
  return {
    request_id: runId,
    amount: toExactCoins(BigInt(bill.amount)),
    tokens,
    input_tokens,
    output_tokens,
    cache_hit_tokens: bill.cached_tokens,
    cache_write_tokens,
    billed_units: units || tokens || times,
    times,
    event: bill.kind,
    channel: CHANNELS[bill.budget ?? 'none'],
    discount: Number(bill.prices.discount) / FULL_DISCOUNT,
    model,
    created_at: new Date(Number(bill.created_at)).toISOString(),
  }
}
