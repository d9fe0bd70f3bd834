import { eq } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/core/database/database.ts'
import { ledgerBudgets } from './tables.ts'

type BudgetKind = typeof ledgerBudgets.$inferInsert.kind
/** Micro-coins: the most that may be used (null: no limit), and what was charged so far. */
export type Budget = { spend_limit: bigint | null; used: bigint }

/** A budget as columns of whatever reads it beside what it belongs to: join by `budgetOf`. */
export const budgetColumns = { spend_limit: ledgerBudgets.spend_limit, used: ledgerBudgets.used }

/** What to join: the budget that bears the same id as the row that has it. */
export const joinBudget = (id: AnyPgColumn) => [ledgerBudgets, eq(ledgerBudgets.id, id)] as const

/** Opens an unused budget under the id of what it is for. Belongs into the transaction that makes that. */
export async function createBudget(
  tx: Db,
  { id, kind, spend_limit }: { id: string; kind: BudgetKind; spend_limit: bigint | null },
): Promise<void> {
  await tx.insert(ledgerBudgets).values({ id, kind, spend_limit })
}

/** Takes effect on the very next hold. Whose budget it is, the caller has made sure of. */
export async function updateSpendLimit(tx: Db, id: string, spendLimit: bigint | null): Promise<void> {
  await tx.update(ledgerBudgets).set({ spend_limit: spendLimit }).where(eq(ledgerBudgets.id, id))
}
