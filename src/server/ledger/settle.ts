import { sql } from 'drizzle-orm'
import { newId } from '../core/clock.ts'
import type { Prices } from '../core/coins.ts'
import type { Db } from '../core/database.ts'
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

type OpenHold = { run_id: string; account_id: string; amount: bigint }
type Charge = { ending: Ending; hold: OpenHold; computed: bigint; charged: bigint }

/**
 * Ends the holds of runs, many in one go, each once: a run without an open hold is left alone. Charges what the usage
 * costs; where that is more than was held, what the free balance still covers, and keeps the computed amount beside
 * it. Returns the micro-coins charged for each, in order.
 */
export async function settleAll(tx: Db, endings: Ending[]): Promise<bigint[]> {
  const { holds, free } = await lockHolds(tx, endings)
  const charges = endings.flatMap((ending): Charge[] => {
    const hold = holds.get(ending.run_id)
    // Asked for twice in one go, it is ended once.
    if (!hold || !holds.delete(ending.run_id)) return []
    const computed = 'void' in ending ? 0n : cost(ending.tokens, ending.prices, ending)
    const available = hold.amount + (free.get(hold.account_id) ?? 0n)
    const charged = computed < available ? computed : available
    free.set(hold.account_id, available - charged)
    return [{ ending, hold, computed, charged }]
  })
  if (charges.length) await write(tx, charges)
  const byRun = new Map(charges.map(({ ending, charged }) => [ending.run_id, charged]))
  return endings.map(({ run_id }) => byRun.get(run_id) ?? 0n)
}

type LockedHold = { run_id: string; account_id: string; budgets: string[]; amount: string; free: string }

/** Open holds by run, and what no hold has reserved by account; all locked in the order of their ids, and so the budgets. */
async function lockHolds(tx: Db, endings: Ending[]) {
  const runs = JSON.stringify(endings.map(({ run_id }) => run_id))
  const { rows } = await tx.execute<LockedHold>(sql`
    SELECT h.run_id, h.account_id, h.budgets, h.amount::text, (a.balance - a.held)::text AS free
    FROM ledger_holds h JOIN ledger_accounts a ON a.id = h.account_id
    WHERE h.run_id IN (SELECT value::uuid FROM json_array_elements_text(${runs}::json)) AND h.state = 'held'
    ORDER BY a.id, h.run_id FOR UPDATE OF a, h`)
  const budgets = [...new Set(rows.flatMap((row) => row.budgets))]
  if (budgets.length) {
    await tx.execute(sql`
      SELECT id FROM ledger_budgets
      WHERE id IN (SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(budgets)}::json))
      ORDER BY id FOR UPDATE`)
  }
  return {
    holds: new Map(
      rows.map(({ run_id, account_id, amount }) => [run_id, { run_id, account_id, amount: BigInt(amount) }]),
    ),
    free: new Map(rows.map(({ account_id, free }) => [account_id, BigInt(free)])),
  }
}

async function write(tx: Db, charges: Charge[]): Promise<void> {
  await tx.execute(sql`
    WITH charge AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(charges.map(row))}::json) AS charge(
        run_id uuid, account_id uuid, held bigint, charged bigint, computed bigint, state text, transfer_id uuid,
        debit_id uuid, credit_id uuid, model text, platform text, input_tokens int, output_tokens int,
        cached_tokens int, cache_write_tokens int, reasoning_tokens int, units int, times int, usage_source text,
        flagged text, prices jsonb)
    ), hold AS (
      UPDATE ledger_holds h SET state = charge.state, ended_at = now() FROM charge
      WHERE h.run_id = charge.run_id RETURNING h.budgets, charge.held, charge.charged
    ), budget AS (
      UPDATE ledger_budgets b SET held = b.held - sums.held, used = b.used + sums.charged
      FROM (SELECT id::uuid, sum(held)::bigint AS held, sum(charged)::bigint AS charged
        FROM hold, jsonb_array_elements_text(budgets) AS id GROUP BY id) sums
      WHERE b.id = sums.id
    ), account AS (
      UPDATE ledger_accounts a SET held = a.held - sums.held, balance = a.balance - sums.charged
      FROM (SELECT account_id, sum(held)::bigint AS held, sum(charged)::bigint AS charged FROM charge
        GROUP BY account_id) sums
      WHERE a.id = sums.account_id
    ), bill AS (
      INSERT INTO ledger_bills (run_id, account_id, amount, computed, model, platform, input_tokens, output_tokens,
        cached_tokens, cache_write_tokens, reasoning_tokens, units, times, usage_source, flagged, prices)
      SELECT run_id, account_id, charged, computed, model, platform, input_tokens, output_tokens, cached_tokens,
        cache_write_tokens, reasoning_tokens, units, times, usage_source, flagged, prices FROM charge WHERE state = 'settled'
    )
    INSERT INTO ledger_entries (id, transfer_id, account_id, amount, kind, run_id)
    SELECT debit_id, transfer_id, account_id, -charged, 'charge', run_id FROM charge WHERE charged > 0
    UNION ALL
    SELECT credit_id, transfer_id, ${INCOME}::uuid, charged, 'charge', run_id FROM charge WHERE charged > 0`)
}

function row({ ending, hold, computed, charged }: Charge) {
  const shared = {
    run_id: hold.run_id,
    account_id: hold.account_id,
    held: hold.amount.toString(),
    charged: charged.toString(),
    computed: computed.toString(),
    transfer_id: newId(),
    debit_id: newId(),
    credit_id: newId(),
  }
  if ('void' in ending) return { ...shared, state: 'void' }
  const { model, platform, tokens, usage_source, flagged, prices, units = 0, times = 1 } = ending
  return {
    ...shared,
    state: 'settled',
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
