import { eq } from 'drizzle-orm'
import type { MessageSearch } from '#contract/search.ts'
import type { Db } from '../../core/database.ts'
import { chatMessages } from '../tables.ts'

/** Keeps with the answer of a run what was found for it. */
export async function keepSearch(db: Db, run_id: string, search: MessageSearch): Promise<void> {
  await db.update(chatMessages).set({ search }).where(eq(chatMessages.run_id, run_id))
}
