import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { matchChatbot } from '../store.ts'
import { extractTerms, toQueryTerms, selectWordsToCheck } from './terms.ts'

/** A session with matches; `message_id` is the newest message with all the words, null if only the title has them. */
export type FoundSession = { sess_id: string; message_id: string | null }

/** Makes a LIKE pattern for texts that contain a word. */
const toLikePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/**
 * A person's terms lie in one of 256 shards of the index, so that a search reads one shard and not everybody's messages. Applying
 * a shard twice removes it.
 */
const ownerShard = (userId: SQL): SQL => sql`(get_byte(uuid_send(${userId}), 15) << 23)`

/** Indexes messages by their present texts. */
export async function indexMessages(tx: Db, messages: { id: string; text: string }[]): Promise<void> {
  const rows = messages.filter(({ text }) => text).map(({ id, text }) => ({ id, terms: extractTerms(text) }))
  if (!rows.length) return
  await tx.execute(sql`
    INSERT INTO chat_terms (message_id, terms)
    SELECT m.id, ARRAY(SELECT term # ${ownerShard(sql`s.user_id`)} FROM unnest(e.terms) term)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e(id uuid, terms int[])
    JOIN chat_messages m ON m.id = e.id JOIN chat_sessions s ON s.id = m.sess_id
    ON CONFLICT (message_id) DO UPDATE SET terms = excluded.terms`)
}

/** Indexes some of the messages without terms; false when none are left. */
export async function indexMissingMessages(db: Db, limit: number): Promise<boolean> {
  const { rows } = await db.execute<{ id: string; text: string }>(sql`
    SELECT m.id, m.text FROM chat_terms t JOIN chat_messages m ON m.id = t.message_id
    WHERE t.terms IS NULL LIMIT ${limit}`)
  await indexMessages(db, rows)
  return rows.length > 0
}

/** Moves the terms of a person's messages to the shard of their new owner. */
export async function moveTerms(tx: Db, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_terms t
    SET terms = ARRAY(SELECT term # ${ownerShard(sql`${from}::uuid`)} # ${ownerShard(sql`${to}::uuid`)} FROM unnest(t.terms) term)
    FROM chat_messages m JOIN chat_sessions s ON s.id = m.sess_id
    WHERE m.id = t.message_id AND s.user_id = ${from} AND t.terms IS NOT NULL`)
}

/** Finds a page of the sessions whose title or one of whose messages has all the words, the latest first. */
export async function findSessions(
  db: Db,
  userId: string,
  { chatbot, words, size, offset }: { chatbot: string; words: string[]; size: number; offset: number },
): Promise<{ total: number; matches: FoundSession[] }> {
  const matchAll = (column: SQL, among: string[]): SQL[] =>
    among.map((word) => sql`${column} ILIKE ${toLikePattern(word)}`)
  const queryTerms = `{${toQueryTerms(words).join(',')}}`
  const { rows } = await db.execute<{ total: number; sess_id: string | null; message_id: string | null }>(sql`
    WITH hits AS (
      SELECT DISTINCT ON (m.sess_id) m.sess_id, m.id
      FROM chat_terms t JOIN chat_messages m ON m.id = t.message_id JOIN chat_sessions s ON s.id = m.sess_id
      WHERE t.terms @> ARRAY(SELECT term # ${ownerShard(sql`${userId}::uuid`)} FROM unnest(${queryTerms}::int[]) term)
        AND ${sql.join(
          [
            sql`s.user_id = ${userId}`,
            matchChatbot(sql`s.chatbot`, chatbot),
            sql`m.hidden_at IS NULL`,
            ...matchAll(sql`m.text`, selectWordsToCheck(words)),
          ],
          sql` AND `,
        )}
      ORDER BY m.sess_id, m.chat_id DESC, m.id DESC
    ), listed AS (
      SELECT s.id, s.updated_at, h.id AS message_id FROM chat_sessions s LEFT JOIN hits h ON h.sess_id = s.id
      WHERE s.user_id = ${userId} AND ${matchChatbot(sql`s.chatbot`, chatbot)} AND s.title <> ''
        AND (h.id IS NOT NULL OR (${sql.join(matchAll(sql`s.title`, words), sql` AND `)}))
    ), page AS (
      SELECT * FROM listed ORDER BY updated_at DESC, id DESC LIMIT ${size} OFFSET ${offset}
    )
    SELECT counted.total, page.id AS sess_id, page.message_id
    FROM (SELECT count(*)::int AS total FROM listed) counted LEFT JOIN page ON true
    ORDER BY page.updated_at DESC, page.id DESC`)
  return {
    total: rows[0]?.total ?? 0,
    matches: rows.flatMap(({ sess_id, message_id }) => (sess_id ? [{ sess_id, message_id }] : [])),
  }
}
