import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'

/**
 * Coins wanted for one run: from an account, within budgets (an API key's limit, that of a member of an organization). Micro-coins;
 * `min_amount` (default: `amount`) is enough for it where there is less than `amount`.
 */
export type HoldRequest = {
  run_id: string
  account_id: string
  amount: bigint
  min_amount?: bigint
  budgets?: string[]
}

/** What became of a hold: micro-coins, or why not; then nothing of it is held. */
export type HoldDecision = { run_id: string } & ({ granted: bigint; refusal: null } | { refusal: ErrorCode })

/** A row of `holdSql`. */
export type HoldRow = { run_id: string; granted: string | null; short: keyof typeof REFUSALS | null }

/** What was too little, or unknown. */
const REFUSALS = {
  balance: 'insufficient_balance',
  key: 'key_limit_reached',
  provision_key: 'key_limit_reached',
  member: 'organization_limit_reached',
  widget: 'widget_limit',
  unknown: 'forbidden',
} as const satisfies Record<string, ErrorCode>

/**
 * A table expression (rows: `HoldRow`) that reserves micro-coins for runs and creates those that got some, as of the process
 * `host_id`; to be read once. The rows of accounts and budgets are locked before anything is decided, each hold against what the
 * ones before it left, so that no two runs can spend the same coin. The tables' own checks guard that too. `rows` is a JSON
 * array of `toHoldRequestRow`s, each with the columns of its run. See functions.sql.
 */
export const holdSql = (rows: SQL, hostId: SQL): SQL => sql`ledger_hold(${rows}, ${hostId}::uuid)`

/** A hold as `holdSql` expects it. */
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
