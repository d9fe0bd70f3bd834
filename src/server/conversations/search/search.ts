import type { SessionHit } from '#contract/conversations/sessions.ts'
import type { Db } from '#server/core/database/database.ts'
import { listMessagesByIds } from '../messages/store.ts'
import { listSessionsByIds } from '../sessions/store.ts'
import type { SessionRow } from '../sessions/store.ts'
import { createSnippet } from './snippet.ts'
import { findSessions, indexMissingMessages } from './store.ts'
import { parseWords } from './terms.ts'

/** Old messages indexed at a time. */
const BATCH_SIZE = 100

type SessionSearch = { chatbot: string; keywords: string; size: number; offset: number }
export type SessionMatch = { session: SessionRow; hit: SessionHit | null }

/** Searches a page of a person's sessions that have the words, in the title or in one message, the latest first. */
export async function searchSessions(
  db: Db,
  userId: string,
  { keywords, ...page }: SessionSearch,
): Promise<{ total: number; results: SessionMatch[] }> {
  const words = parseWords(keywords)
  const { total, matches } = await findSessions(db, userId, { words, ...page })
  const ids = matches.map(({ sess_id }) => sess_id)
  const sessions = new Map((await listSessionsByIds(db, userId, ids)).map((row) => [row.id, row]))
  const rows = await listMessagesByIds(
    db,
    matches.flatMap(({ message_id }) => message_id ?? []),
  )
  const messages = new Map(rows.map((row) => [row.id, row]))
  const results = matches.flatMap(({ sess_id, message_id }) => {
    const session = sessions.get(sess_id)
    const message = message_id ? messages.get(message_id) : undefined
    const hit = message && {
      message_id: message.id,
      role: message.role,
      ...createSnippet(message.text, words),
    }
    return session ? [{ session, hit: hit ?? null }] : []
  })
  return { total, results }
}

/** Indexes all messages that are not indexed yet. */
export async function indexOldMessages(db: Db): Promise<void> {
  while (await indexMissingMessages(db, BATCH_SIZE));
}
