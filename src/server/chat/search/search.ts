import type { SessionHit } from '#contract/sessions.ts'
import type { Db } from '../../core/database.ts'
import { messagesByIds, sessionsByIds } from '../sessions/store.ts'
import type { SessionRow } from '../store.ts'
import { snippetOf } from './snippet.ts'
import { findSessions, indexMissing } from './store.ts'
import { wordsOf } from './terms.ts'

/** Old messages that are indexed at a time. */
const AT_ONCE = 100

type Search = { chatbot: string; keywords: string; size: number; offset: number }
export type SearchResult = { session: SessionRow; hit: SessionHit | null }

/** A page of a person's sessions that have the words, in the title or in one message, the latest first. */
export async function searchSessions(
  db: Db,
  user_id: string,
  { keywords, ...page }: Search,
): Promise<{ total: number; results: SearchResult[] }> {
  const words = wordsOf(keywords)
  const { total, found } = await findSessions(db, user_id, { words, ...page })
  const ids = found.map(({ sess_id }) => sess_id)
  const sessions = new Map((await sessionsByIds(db, user_id, ids)).map((row) => [row.id, row]))
  const rows = await messagesByIds(
    db,
    found.flatMap(({ message_id }) => message_id ?? []),
  )
  const messages = new Map(rows.map((row) => [row.id, row]))
  const results = found.flatMap(({ sess_id, message_id }) => {
    const session = sessions.get(sess_id)
    const message = message_id ? messages.get(message_id) : undefined
    const hit = message && { message_id: message.id, role: message.role, ...snippetOf(message.text, words) }
    return session ? [{ session, hit: hit ?? null }] : []
  })
  return { total, results }
}

/** Indexes all that was written before there was a search. */
export async function indexOldMessages(db: Db): Promise<void> {
  while (await indexMissing(db, AT_ONCE));
}
