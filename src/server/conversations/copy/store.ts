import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import type { MessageRow } from '../store.ts'
import { chatMessages, chatSessions } from '../tables.ts'

/** How many messages of one conversation are copied at most. */
const MAX_MESSAGES = 2_000

/**
 * The standing messages of a session that the user owns, oldest first; of all, or of those named. Answers that are still
 * being written are left out.
 */
export async function listFinishedMessages(
  db: Db,
  user_id: string,
  sess_id: string,
  ids?: readonly string[],
): Promise<MessageRow[]> {
  const rows = await db
    .select({ message: chatMessages })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(
      and(
        eq(chatMessages.sess_id, sess_id),
        eq(chatSessions.user_id, user_id),
        isNull(chatMessages.replaced_at),
        ne(chatMessages.status, 'typing'),
        ids ? inArray(chatMessages.id, [...ids]) : undefined,
      ),
    )
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
    .limit(MAX_MESSAGES)
  return rows.map(({ message }) => message)
}
