import type { ErrorCode } from '#contract/errors.ts'

/**
 * Coins wanted for one run: from an account, within budgets (an API key's limit, an organization's). Micro-coins;
 * `least` (default: `amount`) is what it can do with when there is not enough for `amount`.
 */
export type HoldRequest = {
  run_id: string
  user_id: string
  amount: bigint
  least?: bigint
  budgets?: string[]
}

/** What is free at the moment the rows are locked. A budget without a limit has `left: null`. */
export type Funds = {
  accounts: Map<string, { id: string; free: bigint }>
  budgets: Map<string, { left: bigint | null; refusal: ErrorCode }>
}

export type Granted = { request: HoldRequest; account_id: string; granted: bigint; refusal: null }
export type Refused = { request: HoldRequest; refusal: ErrorCode }

/**
 * Decides a batch of holds in order, each against what the ones before it left: balance and every budget must cover
 * what is granted, or nothing of it is held. `funds` is consumed.
 */
export function decide(requests: HoldRequest[], { accounts, budgets }: Funds): (Granted | Refused)[] {
  return requests.map((request) => {
    const { amount, least = amount } = request
    const account = accounts.get(request.user_id)
    if (!account || account.free < least) return { request, refusal: 'insufficient_balance' }
    const limits = (request.budgets ?? []).map((id) => budgets.get(id))
    let granted = smaller(amount, account.free)
    for (const limit of limits) {
      if (!limit) return { request, refusal: 'forbidden' }
      if (limit.left === null) continue
      if (limit.left < least) return { request, refusal: limit.refusal }
      granted = smaller(granted, limit.left)
    }
    account.free -= granted
    for (const limit of limits) if (limit && limit.left !== null) limit.left -= granted
    return { request, account_id: account.id, granted, refusal: null }
  })
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
