import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { sandboxPayments } from '../tables.ts'

export type SandboxPayment = typeof sandboxPayments.$inferSelect

export async function insertPayment(db: Db, payment: SandboxPayment): Promise<void> {
  await db.insert(sandboxPayments).values(payment).onConflictDoNothing()
}

export async function findPayment(db: Db, orderId: string): Promise<SandboxPayment | undefined> {
  return (await db.select().from(sandboxPayments).where(eq(sandboxPayments.order_id, orderId)))[0]
}

/** Changes a payment that is in the given state; returns whether it was. */
export async function updatePayment(
  db: Db,
  orderId: string,
  from: SandboxPayment['state'],
  changes: Partial<SandboxPayment>,
): Promise<boolean> {
  const rows = await db
    .update(sandboxPayments)
    .set(changes)
    .where(and(eq(sandboxPayments.order_id, orderId), eq(sandboxPayments.state, from)))
    .returning({ order_id: sandboxPayments.order_id })
  return rows.length > 0
}
