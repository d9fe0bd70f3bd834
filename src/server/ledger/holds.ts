import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'

/**
 * Coins wanted for one run: from an account, within budgets (the limits of an API key, of a member of an organization).
 * Micro-coins; `min_amount` (default: `amount`) suffices when less than `amount` is available.
 */
export type HoldRequest = {
  run_id: string
  account_id: string
  amount: bigint
  min_amount?: bigint
  budgets?: string[]
}

/** The outcome of a hold: micro-coins, or the reason why nothing is held. */
export type HoldDecision = { run_id: string } & ({ granted: bigint; refusal: null } | { refusal: ErrorCode })

/** A row of `holdSql`. */
export type HoldRow = { run_id: string; granted: string | null; short: keyof typeof REFUSALS | null }

/** Refusals by the fund that was too small, or is unknown. */
const REFUSALS = {
  balance: 'insufficient_balance',
  key: 'key_limit_reached',
  provision_key: 'key_limit_reached',
  member: 'organization_limit_reached',
  widget: 'widget_limit',
  unknown: 'forbidden',
} as const satisfies Record<string, ErrorCode>

/**
 * A table expression (rows: `HoldRow`) that reserves micro-coins for runs and creates those that got some, as runs of the process
 * `host_id`; read it once. The rows of accounts and budgets are locked before any decision, and each hold gets what the ones
 * before it left, so that no two runs can spend the same coin. The tables' own checks guard that too. `rows` is a JSON array of
 * `toHoldRequestRow`s, each with the columns of its run. See functions.sql.
 */
export const holdSql = (rows: SQL, hostId: SQL): SQL => sql`ledger_hold(${rows}, ${hostId}::uuid)`

/** Formats a hold for `holdSql`. */
export const toHoldRequestRow = ({
  run_id,
  account_id,
  amount,
  min_amount = amount,
  budgets = [],
}: HoldRequest) => ({
  id: run_id,
  account_id,
  amount: amount.toString(),
  least: min_amount.toString(),
  budgets: budgets.length > 1 ? [...new Set(budgets)] : budgets,
})

export const toHoldDecision = ({ run_id, granted, short }: HoldRow): HoldDecision =>
  short === null
    ? { run_id, granted: BigInt(granted ?? 0), refusal: null }
    : { run_id, refusal: REFUSALS[short] }
