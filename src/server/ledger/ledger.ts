// The ledger's only entry point: accounts, budgets, holds and prices, types included.
export {
  accountColumns,
  createAccount,
  createOrganizationAccount,
  creditAccount,
  debitAccount,
  forfeitCoins,
  getFreeFunds,
  getFunds,
  getHeldByOrganization,
  joinAccount,
  transferFromOrganization,
  transferToOrganization,
  wasGiven,
} from './accounts.ts'
export type { Funds } from './accounts.ts'
export { budgetColumns, createBudget, joinBudget, updateSpendLimit } from './budgets.ts'
export type { Budget } from './budgets.ts'
export { returnGiven, takeGiven } from './given.ts'
export type { Given } from './given.ts'
export { toHoldDecision, toHoldRequestRow } from './holds.ts'
export type { HoldDecision, HoldRequest, HoldRow } from './holds.ts'
export {
  calculateAffordableOutput,
  calculateCost,
  calculateMaxCost,
  findTier,
  FREE_PRICES,
  toOperationTokens,
} from './prices.ts'
export type { MaxUsage, Picture, Tokens, Units } from './prices.ts'
