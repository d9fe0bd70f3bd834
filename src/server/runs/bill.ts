import { serializePrices } from '#server/core/prices.ts'
import type { Prices } from '#server/core/prices.ts'
import { calculateCost, findTier } from '#server/ledger/ledger.ts'
import type { Picture, Tokens, Units } from '#server/ledger/ledger.ts'

/** The usage of a run, with the prices that apply. */
export type Bill = Units & {
  run_id: string
  tokens: Tokens
  usage_source: 'upstream' | 'counted'
  flagged: string | null
  prices: Prices
  /** The platform that answered, where it and its prices may differ from those stored with the run. */
  platform?: string
}
/** The end of a run's hold: a bill, or void. */
export type Settlement = Bill | { run_id: string; void: true }

/** Details that few bills have, needed to recompute those. `tier`: input tokens above which its prices apply. */
export type BillDetails = Picture &
  Partial<
    Pick<Tokens, 'cache_write_1h' | 'audio_input' | 'audio_output' | 'image_input' | 'image_output'>
  > & {
    tier?: number
    searches?: number
  }

/** Formats a settlement as the columns of its run, with the cost of the usage; void costs nothing. */
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
