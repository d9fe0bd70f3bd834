import { newId } from '../../core/clock.ts'
import type { Db } from '../../core/database.ts'
import { keyAudit } from '../tables.ts'

type Entry = Omit<typeof keyAudit.$inferInsert, 'id' | 'created_at'>

/** Records an act on a key, in the transaction of the act. */
export async function audit(tx: Db, entry: Entry): Promise<void> {
  await tx.insert(keyAudit).values({ id: newId(), ...entry })
}
