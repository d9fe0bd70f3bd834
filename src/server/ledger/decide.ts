import type { ErrorCode } from '#contract/errors.ts'

/** Coins wanted for one run: from an account, within budgets (an API key's limit, an organization's). Micro-coins. */
export type HoldRequest = { run_id: string; user_id: string; amount: bigint; budgets?: string[] }

/** What is free at the moment the rows are locked. A budget without a limit has `left: null`. */
export type Funds = {
  accounts: Map<string, { id: string; free: bigint }>
  budgets: Map<string, { left: bigint | null; refusal: ErrorCode }>
}

export type Decision =
  | { request: HoldRequest; account_id: string; refusal: null }
  | { request: HoldRequest; refusal: ErrorCode }

/**
 * Decides a batch of holds in order, each against what the ones before it left: balance and every budget must cover
 * the amount, or nothing of it is held. `funds` is consumed.
 */
export function decide(requests: HoldRequest[], { accounts, budgets }: Funds): Decision[] {
  return requests.map((request) => {
    const { amount } = request
    const account = accounts.get(request.user_id)
    if (!account || account.free < amount) return { request, refusal: 'insufficient_balance' }
    const limits = (request.budgets ?? []).map((id) => budgets.get(id))
    for (const limit of limits) {
      if (!limit) return { request, refusal: 'forbidden' }
      if (limit.left !== null && limit.left < amount) return { request, refusal: limit.refusal }
    }
    account.free -= amount
    for (const limit of limits) if (limit && limit.left !== null) limit.left -= amount
    return { request, account_id: account.id, refusal: null }
  })
}
