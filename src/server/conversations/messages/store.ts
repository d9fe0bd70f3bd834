import { eq } from 'drizzle-orm'
import type { MessageSearch } from '#contract/web-search.ts'
import type { Db } from '#server/core/database/database.ts'
import { chatMessages } from '../tables.ts'

/** Keeps with the answer of a run what was found for it. */
export async function updateMessageSearch(db: Db, run_id: string, search: MessageSearch): Promise<void> {
  await db.update(chatMessages).set({ search }).where(eq(chatMessages.run_id, run_id))
}
