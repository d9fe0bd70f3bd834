import { eq } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/core/database/database.ts'
import { ledgerBudgets } from './tables.ts'

type BudgetKind = typeof ledgerBudgets.$inferInsert.kind
/** Micro-coins: the most that may be charged (null: no limit), and the sum charged so far. */
export type Budget = { spend_limit: bigint | null; used: bigint }

/** A budget, as columns of a query with `joinBudget`. */
export const budgetColumns = { spend_limit: ledgerBudgets.spend_limit, used: ledgerBudgets.used }

/** Arguments of a join: the budget with the same id as the row that it belongs to. */
export const joinBudget = (id: AnyPgColumn) => [ledgerBudgets, eq(ledgerBudgets.id, id)] as const

/** Creates an unused budget with its owner's id. Call it in the transaction that creates the owner. */
export async function createBudget(
  tx: Db,
  { id, kind, spend_limit }: { id: string; kind: BudgetKind; spend_limit: bigint | null },
): Promise<void> {
  await tx.insert(ledgerBudgets).values({ id, kind, spend_limit })
}

/** Takes effect on the very next hold. The caller has checked whose budget it is. */
export async function updateSpendLimit(tx: Db, id: string, spendLimit: bigint | null): Promise<void> {
  await tx.update(ledgerBudgets).set({ spend_limit: spendLimit }).where(eq(ledgerBudgets.id, id))
}
