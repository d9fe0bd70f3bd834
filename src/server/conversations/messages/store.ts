import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { deleteStreamLogs } from '#server/runs/runs.ts'
import { indexMessages } from '../search/store.ts'
import { chatMessages, chatSessions } from '../tables.ts'

export type MessageRow = typeof chatMessages.$inferSelect

/** A message with the ids of all its versions, the oldest first. */
export type VersionedRow = MessageRow & { versions: string[] }

/** To be selected with a message. */
export const versionIds = sql<string[]>`(
  SELECT json_agg(v.id ORDER BY v.id) FROM chat_messages v
  WHERE v.sess_id = chat_messages.sess_id AND v.parent_id = chat_messages.parent_id
    AND v.lane = chat_messages.lane)`

/** Matches the visible messages of a session: the chosen path through its tree. */
const isVisibleIn = (sessId: string) => and(eq(chatMessages.sess_id, sessId), isNull(chatMessages.hidden_at))

/** Lists visible messages of a session the caller owns, newest turn first. With `before_turn`, only those of earlier turns. */
export async function listNewestMessages(
  db: Db,
  sessId: string,
  { size, before_turn }: { size: number; before_turn?: string | undefined },
): Promise<MessageRow[]> {
  return db
    .select()
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), before_turn ? lt(chatMessages.chat_id, before_turn) : undefined))
    .orderBy(...newestFirstOrder)
    .limit(size)
}

/** Lists visible messages with their versions, newest turn first; with `before`, only those before that message. */
export async function listNewestPage(
  db: Db,
  sessId: string,
  { size, before }: { size: number; before?: string | undefined },
): Promise<VersionedRow[]> {
  const earlier = sql`(${chatMessages.chat_id}, ${chatMessages.id}) < (
    SELECT m.chat_id, m.id FROM chat_messages m WHERE m.id = ${before} AND m.sess_id = ${sessId})`
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), before ? earlier : undefined))
    .orderBy(...newestFirstOrder)
    .limit(size)
}

/** Lists the newest turns of a session the caller owns, whole, oldest first; with `before`, only those before that turn. */
export async function listNewestTurns(
  db: Db,
  sessId: string,
  { size, before }: { size: number; before?: string | undefined },
): Promise<VersionedRow[]> {
  const turns = db
    .selectDistinct({ chat_id: chatMessages.chat_id })
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), before ? lt(chatMessages.chat_id, before) : undefined))
    .orderBy(desc(chatMessages.chat_id))
    .limit(size)
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), inArray(chatMessages.chat_id, turns)))
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
}

// Ids grow with time. A regenerated answer belongs to its turn, not to the time of its creation.
const newestFirstOrder = [desc(chatMessages.chat_id), desc(chatMessages.id)]

/** The position of a message in a session the caller owns. */
const messagePosition = (sessId: string, id: string) =>
  sql`(SELECT m.chat_id, m.id FROM chat_messages m WHERE m.id = ${id} AND m.sess_id = ${sessId})`

/** Lists messages of a session the caller owns after one of them, or from it on; oldest first. */
export async function listMessagesAfter(
  db: Db,
  sessId: string,
  { id, itself: inclusive, size }: { id: string; itself: boolean; size: number },
): Promise<VersionedRow[]> {
  const position = sql`(${chatMessages.chat_id}, ${chatMessages.id})`
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .where(
      and(
        isVisibleIn(sessId),
        sql`${position} ${sql.raw(inclusive ? '>=' : '>')} ${messagePosition(sessId, id)}`,
      ),
    )
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
    .limit(size)
}

/** Returns a message of a session the caller owns; the last one without an id. */
export async function findVisibleMessage(
  db: Db,
  sessId: string,
  id?: string | null,
): Promise<MessageRow | undefined> {
  const rows = await db
    .select()
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), id ? eq(chatMessages.id, id) : undefined))
    .orderBy(desc(chatMessages.chat_id), desc(chatMessages.id))
    .limit(1)
  return rows[0]
}

/** Lists messages of a session the caller owns up to the end of a turn, oldest first. */
export async function listMessagesUpTo(db: Db, sessId: string, chatId: string): Promise<MessageRow[]> {
  return db
    .select()
    .from(chatMessages)
    .where(and(isVisibleIn(sessId), sql`${chatMessages.chat_id} <= ${chatId}`))
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
}

/** Reads messages that a search of their owner found. */
export async function listMessagesByIds(db: Db, ids: string[]): Promise<MessageRow[]> {
  return ids.length ? db.select().from(chatMessages).where(inArray(chatMessages.id, ids)) : []
}

/** Reads the first question of a session the caller owns, and its answer. */
export async function listFirstMessages(db: Db, sessId: string): Promise<MessageRow[]> {
  return db
    .select()
    .from(chatMessages)
    .where(isVisibleIn(sessId))
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
    .limit(2)
}

/** Most messages copied from one conversation. */
const MAX_COPIED_MESSAGES = 2_000

/**
 * Lists the visible messages of a user's session, oldest first: all, or those named. Answers still being written are left out.
 */
export async function listFinishedMessages(
  db: Db,
  userId: string,
  sessId: string,
  ids?: readonly string[],
): Promise<MessageRow[]> {
  const rows = await db
    .select({ message: chatMessages })
    .from(chatMessages)
    .innerJoin(chatSessions, eq(chatSessions.id, chatMessages.sess_id))
    .where(
      and(
        eq(chatMessages.sess_id, sessId),
        eq(chatSessions.user_id, userId),
        isNull(chatMessages.hidden_at),
        ne(chatMessages.status, 'typing'),
        ids ? inArray(chatMessages.id, [...ids]) : undefined,
      ),
    )
    .orderBy(asc(chatMessages.chat_id), asc(chatMessages.id))
    .limit(MAX_COPIED_MESSAGES)
  return rows.map(({ message }) => message)
}

export async function insertMessages(
  tx: Db,
  messages: (typeof chatMessages.$inferInsert)[],
): Promise<MessageRow[]> {
  const rows = await tx.insert(chatMessages).values(messages).returning()
  await indexMessages(tx, rows)
  return rows
}

/** Lists the answers of a session that are still being written. */
export async function listRunningAnswers(
  db: Db,
  sessId: string,
): Promise<Pick<MessageRow, 'run_id' | 'lane'>[]> {
  return db
    .select({ run_id: chatMessages.run_id, lane: chatMessages.lane })
    .from(chatMessages)
    .where(and(eq(chatMessages.sess_id, sessId), eq(chatMessages.status, 'typing')))
}

/** Empties a session the caller owns; returns how many messages were visible. */
export async function deleteMessages(tx: Db, sessId: string): Promise<number> {
  const rows = await tx
    .delete(chatMessages)
    .where(eq(chatMessages.sess_id, sessId))
    .returning({ hidden_at: chatMessages.hidden_at, run_id: chatMessages.run_id })
  await deleteStreamLogs(
    tx,
    rows.map(({ run_id }) => run_id),
  )
  return rows.filter(({ hidden_at }) => hidden_at === null).length
}
