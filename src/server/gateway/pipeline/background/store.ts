import { and, eq, sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/core/database/database.ts'
import { runs } from '#server/runs/tables.ts'
import { gatewayCompletions } from '../../tables.ts'

const isRetained = sql`${gatewayCompletions.created_at} > now() - interval '7 days'`

export async function insertCompletion(
  tx: Db,
  completion: { run_id: string; user_id: string; model: string },
): Promise<void> {
  await tx.insert(gatewayCompletions).values(completion)
}

export async function updateCompletionAnswer(tx: Db, run_id: string, answer: string): Promise<void> {
  await tx.update(gatewayCompletions).set({ answer }).where(eq(gatewayCompletions.run_id, run_id))
}

/** A completion of this owner with the state of its run. */
export async function findCompletion(db: Db, user_id: string, run_id: string) {
  const rows = await db
    .select({
      model: gatewayCompletions.model,
      answer: gatewayCompletions.answer,
      state: runs.state,
      code: sql<ErrorCode | null>`${runs.code}`,
    })
    .from(gatewayCompletions)
    .innerJoin(runs, eq(runs.id, gatewayCompletions.run_id))
    .where(and(eq(gatewayCompletions.run_id, run_id), eq(gatewayCompletions.user_id, user_id), isRetained))
  return rows[0]
}

export async function sweepCompletions(db: Db): Promise<void> {
  await db.delete(gatewayCompletions).where(sql`NOT ${isRetained}`)
}
