import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { newId } from '../core/clock.ts'
import type { Prices } from '../core/coins.ts'
import { INCOME } from './accounts.ts'
import { cost } from './prices.ts'
import type { Tokens, Units } from './prices.ts'

/** What a run used. */
export type Bill = Units & {
  run_id: string
  model: string
  platform: string
  tokens: Tokens
  usage_source: 'upstream' | 'counted'
  flagged: string | null
  prices: Prices
}
/** How a run's hold ends: with a bill, or void. */
export type Ending = Bill | { run_id: string; void: true }

/**
 * A table expression (rows: `run_id`, `charged` micro-coins) that ends the holds of runs, each once: a run without an
 * open hold has no row. Charges what the usage costs; where that is more than was held, what the free balance still
 * covers, and keeps the computed amount beside it. To be read once. `ended` is a JSON array of `endingRow`s.
 */
export const settling = (ended: SQL): SQL => sql`ledger_settle(${ended})`

/** An ending as `settling` takes it. */
export function endingRow(ending: Ending) {
  const { run_id } = ending
  if ('void' in ending) return { run_id, computed: '0', settled: false }
  const { model, platform, tokens, usage_source, flagged, prices, units = 0, times = 1 } = ending
  return {
    run_id,
    computed: cost(tokens, prices, ending).toString(),
    settled: true,
    transfer_id: newId(),
    debit_id: newId(),
    credit_id: newId(),
    income: INCOME,
    model,
    platform,
    usage_source,
    flagged,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cached_tokens: tokens.cached,
    cache_write_tokens: tokens.cache_write,
    reasoning_tokens: tokens.reasoning,
    units,
    times,
    prices: Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price.toString()])),
  }
}
