import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { serializePrices } from '#server/core/prices.ts'
import type { Prices } from '#server/core/prices.ts'
import { calculateCost, findTier } from './prices.ts'
import type { BillDetails, Tokens, Units } from './prices.ts'

/** What a run used. */
export type Bill = Units & {
  run_id: string
  tokens: Tokens
  usage_source: 'upstream' | 'counted'
  flagged: string | null
  prices: Prices
  /** Who answered, where that and its prices may be other than what is stored of the run. */
  platform?: string
}
/** How a run's hold ends: with a bill, or void. */
export type Settlement = Bill | { run_id: string; void: true }

/**
 * A table expression (rows: `run_id`, `charged` micro-coins) that ends runs and their holds, each once: a run that has ended has
 * no row. Charges what the usage costs; where that is more than was held, what the free balance still covers, and keeps the
 * computed amount beside it. To be read once. `rows` is a JSON array of `toSettlementRow`s, each with what else is stored of its
 * run. See functions.sql.
 */
export const settleSql = (rows: SQL): SQL => sql`ledger_settle(${rows})`

/** A settlement as `settleSql` expects it. */
export function toSettlementRow(settlement: Settlement) {
  const { run_id: id } = settlement
  if ('void' in settlement) return { id, computed: '0' }
  const { platform, tokens, usage_source, flagged, prices, units, times } = settlement
  return {
    id,
    computed: calculateCost(tokens, prices, settlement).toString(),
    usage_source,
    flagged,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cached_tokens: tokens.cached,
    cache_write_tokens: tokens.cache_write,
    reasoning_tokens: tokens.reasoning,
    units,
    times,
    ...(platform === undefined ? {} : { platform, prices: serializePrices(prices) }),
    details: toBillDetails(settlement),
  }
}

/** Null for most. */
function toBillDetails({ tokens, prices, searches, picture }: Bill): BillDetails | null {
  const { cache_write_1h, audio_input, audio_output, image_input, image_output } = tokens
  const details = {
    cache_write_1h,
    audio_input,
    audio_output,
    image_input,
    image_output,
    searches,
    ...picture,
  }
  const tier = findTier(prices, tokens.input)?.above
  const present = Object.entries({ ...details, tier }).filter(([, value]) => value)
  return present.length ? Object.fromEntries(present) : null
}
