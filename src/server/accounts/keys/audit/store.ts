import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { keyAudit } from '../tables.ts'

type AuditEntry = Omit<typeof keyAudit.$inferInsert, 'id' | 'created_at'>

/** Records an act on a key, in the transaction of the act. */
export async function insertAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  await tx.insert(keyAudit).values({ id: createId(), ...entry })
}
