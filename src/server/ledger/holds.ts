import type { ErrorCode } from '#contract/errors.ts'

/**
 * Coins wanted from an account, within budgets (the limits of an API key, of a member of an organization). Micro-coins;
 * `min_amount` (default: `amount`) suffices when less than `amount` is available. The caller chooses the id and stores the hold:
 * accounts and budgets have sums of them.
 */
export type HoldRequest = {
  id: string
  account_id: string
  amount: bigint
  min_amount?: bigint
  budgets?: string[]
}

/** The outcome of a hold: micro-coins, or the reason why nothing is held. */
export type HoldDecision = { granted: bigint; refusal: null } | { refusal: ErrorCode }

/** A row that the function `ledger_hold` returns. */
export type HoldRow = { id: string; granted: string | null; short: keyof typeof REFUSALS | null }

/** Refusals by the fund that was too small, or is unknown. */
const REFUSALS = {
  balance: 'insufficient_balance',
  key: 'key_limit_reached',
  provision_key: 'key_limit_reached',
  member: 'organization_limit_reached',
  widget: 'widget_limit',
  unknown: 'forbidden',
} as const satisfies Record<string, ErrorCode>

/** Formats a hold for `ledger_hold`: the fields of its type `ledger_hold_request`. */
export const toHoldRequestRow = ({
  id,
  account_id,
  amount,
  min_amount = amount,
  budgets = [],
}: HoldRequest) => ({
  id,
  account_id,
  amount: amount.toString(),
  least: min_amount.toString(),
  budgets: budgets.length > 1 ? [...new Set(budgets)] : budgets,
})

export const toHoldDecision = ({ granted, short }: HoldRow): HoldDecision =>
  short === null ? { granted: BigInt(granted ?? 0), refusal: null } : { refusal: REFUSALS[short] }
