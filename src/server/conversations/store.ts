import { and, desc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { indexMessages } from './search/store.ts'
import { chatCurrent, chatMessages, chatSessions } from './tables.ts'

export type SessionRow = typeof chatSessions.$inferSelect
export type MessageRow = typeof chatMessages.$inferSelect

/** The session of this id, if it is the user's. */
export const ownedSession = (user_id: string, id: string) =>
  and(eq(chatSessions.id, id), eq(chatSessions.user_id, user_id))

export async function findSession(db: Db, user_id: string, id: string): Promise<SessionRow | undefined> {
  return (await db.select().from(chatSessions).where(ownedSession(user_id, id)))[0]
}

/** The same, locked until the transaction ends: one question at a time in a session. */
export async function lockSession(tx: Db, user_id: string, id: string): Promise<SessionRow | undefined> {
  return (await tx.select().from(chatSessions).where(ownedSession(user_id, id)).for('update'))[0]
}

export async function findCurrentSession(
  db: Db,
  user_id: string,
  chatbot: string,
): Promise<SessionRow | undefined> {
  const rows = await db
    .select({ session: chatSessions })
    .from(chatCurrent)
    .innerJoin(chatSessions, eq(chatSessions.id, chatCurrent.sess_id))
    .where(
      and(
        eq(chatCurrent.user_id, user_id),
        eq(chatCurrent.chatbot, chatbot),
        eq(chatSessions.user_id, user_id),
      ),
    )
  return rows[0]?.session
}

export async function setCurrentSession(
  tx: Db,
  user_id: string,
  chatbot: string,
  sess_id: string,
): Promise<void> {
  await tx
    .insert(chatCurrent)
    .values({ user_id, chatbot, sess_id })
    .onConflictDoUpdate({ target: [chatCurrent.user_id, chatCurrent.chatbot], set: { sess_id } })
}

/** Notes the last question of a session the caller has locked: model, time, and a title if it has none yet. */
export async function touchSession(tx: Db, id: string, model: string, title: string): Promise<SessionRow> {
  const rows = await tx
    .update(chatSessions)
    .set({ model, updated_at: sql`now()`, title: sql`coalesce(nullif(${chatSessions.title}, ''), ${title})` })
    .where(eq(chatSessions.id, id))
    .returning()
  return rows[0]!
}

/** The messages of a session that can be seen: the path through its tree that is looked at. */
export const isVisibleIn = (sess_id: string) =>
  and(eq(chatMessages.sess_id, sess_id), isNull(chatMessages.replaced_at))

/** A message with the ids of all its versions, the oldest first. */
export type VersionedRow = MessageRow & { versions: string[] }

/** To be selected beside a message. */
export const versionIds = sql<string[]>`(
  SELECT json_agg(v.id ORDER BY v.id) FROM chat_messages v
  WHERE v.sess_id = chat_messages.sess_id AND v.parent_id = chat_messages.parent_id)`

/**
 * Messages of a session the caller owns, newest turn first: the path through its tree that is looked at. With
 * `before_turn`, only those of earlier turns.
 */
export async function listNewestMessages(
  db: Db,
  sess_id: string,
  { size, before_turn }: { size: number; before_turn?: string | undefined },
): Promise<MessageRow[]> {
  return db
    .select()
    .from(chatMessages)
    .where(and(isVisibleIn(sess_id), before_turn ? lt(chatMessages.chat_id, before_turn) : undefined))
    .orderBy(...newestFirstOrder)
    .limit(size)
}

/** The same to be looked at; with `before`, only those before that message. */
export async function listNewestPage(
  db: Db,
  sess_id: string,
  { size, before }: { size: number; before?: string | undefined },
): Promise<VersionedRow[]> {
  const earlier = sql`(${chatMessages.chat_id}, ${chatMessages.id}) < (
    SELECT m.chat_id, m.id FROM chat_messages m WHERE m.id = ${before} AND m.sess_id = ${sess_id})`
  return db
    .select({ ...getTableColumns(chatMessages), versions: versionIds })
    .from(chatMessages)
    .where(and(isVisibleIn(sess_id), before ? earlier : undefined))
    .orderBy(...newestFirstOrder)
    .limit(size)
}

// Ids grow with time; an answer given again belongs to its turn, not to the moment it was made.
const newestFirstOrder = [desc(chatMessages.chat_id), desc(chatMessages.id)]

export async function insertMessages(
  tx: Db,
  messages: (typeof chatMessages.$inferInsert)[],
): Promise<MessageRow[]> {
  const rows = await tx.insert(chatMessages).values(messages).returning()
  await indexMessages(tx, rows)
  return rows
}

/** Runs of a session that are still going. */
export async function listRunningRuns(db: Db, sess_id: string): Promise<string[]> {
  const rows = await db
    .select({ run_id: chatMessages.run_id })
    .from(chatMessages)
    .where(and(eq(chatMessages.sess_id, sess_id), eq(chatMessages.status, 'typing')))
  return rows.flatMap(({ run_id }) => run_id ?? [])
}

/** Empties a session the caller owns; returns how many messages were visible. */
export async function deleteMessages(tx: Db, sess_id: string): Promise<number> {
  const rows = await tx
    .delete(chatMessages)
    .where(eq(chatMessages.sess_id, sess_id))
    .returning({ replaced_at: chatMessages.replaced_at })
  return rows.filter(({ replaced_at }) => replaced_at === null).length
}

/** Counts one turn of a guest against every key at once; false, and nothing counted, when one has used up its limit. */
export async function countGuestTurn(
  tx: Db,
  day: string,
  limits: { key: string; max: number }[],
): Promise<boolean> {
  for (const { key, max } of limits) {
    const { rows } = await tx.execute(sql`
      INSERT INTO guest_turns (day, key, turns) SELECT ${day}, ${key}, 1 WHERE ${max}::int > 0
      ON CONFLICT (day, key) DO UPDATE SET turns = guest_turns.turns + 1 WHERE guest_turns.turns < ${max}
      RETURNING turns`)
    if (rows.length === 0) return false
  }
  return true
}

/** Removes what only counted for days gone by. */
export async function sweepGuestTurns(db: Db, today: string): Promise<void> {
  await db.execute(sql`DELETE FROM guest_turns WHERE day < ${today}`)
}
