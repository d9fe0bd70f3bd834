import { and, asc, desc, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { COMPARE, DATI, getComparedSession } from '#contract/chatbot.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { matchChatbot } from '../store.ts'
import { moveTerms } from '../search/store.ts'
import { chatCurrent, chatDefaults, chatSessions } from '../tables.ts'

export type SessionRow = typeof chatSessions.$inferSelect

/** Matches the session of this id, if it is the user's. */
const ownedSession = (userId: string, id: string) =>
  and(eq(chatSessions.id, id), eq(chatSessions.user_id, userId))

export async function findSession(db: Db, userId: string, id: string): Promise<SessionRow | undefined> {
  return (await db.select().from(chatSessions).where(ownedSession(userId, id)))[0]
}

/** A call's reference to a session, by its id or its channel, which is the general assistant's when absent. */
export type SessionRef = { chatbot?: string | undefined; sess_id?: string | null | undefined }

/**
 * Finds the named session, or the current one of the channel if there is one. Throws AppError not_found for one that is not the
 * user's, or of another channel than the call names.
 */
export async function findReferencedSession(
  db: Db,
  userId: string,
  ref: SessionRef,
): Promise<SessionRow | undefined> {
  const compared = getComparedSession(ref.chatbot ?? DATI)
  const chatbot = compared ? COMPARE : ref.chatbot
  const sessId = ref.sess_id ?? compared
  if (!sessId) return findCurrentSession(db, userId, chatbot ?? DATI)
  const session = await findSession(db, userId, sessId)
  if (!session || (chatbot && session.chatbot !== chatbot) || (compared && session.id !== compared))
    throw new AppError('not_found')
  return session
}

/** Works like `findSession`, and locks the session until the transaction ends: one question at a time. */
export async function lockSession(tx: Db, userId: string, id: string): Promise<SessionRow | undefined> {
  return (await tx.select().from(chatSessions).where(ownedSession(userId, id)).for('update'))[0]
}

/** Finds the session of a turn, if it is the user's, and locks it in the same way. */
export async function lockSessionOfTurn(
  tx: Db,
  userId: string,
  chatId: string,
): Promise<SessionRow | undefined> {
  const id = sql`(SELECT m.sess_id FROM chat_messages m WHERE m.chat_id = ${chatId} LIMIT 1)`
  const rows = await tx
    .select()
    .from(chatSessions)
    .where(and(eq(chatSessions.id, id), eq(chatSessions.user_id, userId)))
    .for('update')
  return rows[0]
}

export async function findCurrentSession(
  db: Db,
  userId: string,
  chatbot: string,
): Promise<SessionRow | undefined> {
  const rows = await db
    .select({ session: chatSessions })
    .from(chatCurrent)
    .innerJoin(chatSessions, eq(chatSessions.id, chatCurrent.sess_id))
    .where(
      and(
        eq(chatCurrent.user_id, userId),
        eq(chatCurrent.chatbot, chatbot),
        eq(chatSessions.user_id, userId),
      ),
    )
  return rows[0]?.session
}

/** Lists the current sessions of a chatbot; a bare channel stands for all of its agents. */
export async function listCurrentSessions(db: Db, userId: string, chatbot: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: chatCurrent.sess_id })
    .from(chatCurrent)
    .where(and(eq(chatCurrent.user_id, userId), matchChatbot(chatCurrent.chatbot, chatbot)))
  return new Set(rows.map(({ id }) => id))
}

export async function setCurrentSession(
  tx: Db,
  userId: string,
  chatbot: string,
  sessId: string,
): Promise<void> {
  await tx
    .insert(chatCurrent)
    .values({ user_id: userId, chatbot, sess_id: sessId })
    .onConflictDoUpdate({ target: [chatCurrent.user_id, chatCurrent.chatbot], set: { sess_id: sessId } })
}

/** `current`: it is the current session of its channel. */
export type TouchedSession = SessionRow & { current: boolean }

/** Records the last question of a session the caller has locked: model, time, and a title if it has none yet. */
export async function touchSession(
  tx: Db,
  id: string,
  model: string,
  title: string,
): Promise<TouchedSession> {
  const current = sql<boolean>`EXISTS (SELECT 1 FROM chat_current c WHERE c.sess_id = ${chatSessions.id}
    AND c.user_id = ${chatSessions.user_id} AND c.chatbot = ${chatSessions.chatbot})`
  const rows = await tx
    .update(chatSessions)
    .set({
      model,
      updated_at: sql`now()`,
      archived: false,
      title: sql`coalesce(nullif(${chatSessions.title}, ''), ${title})`,
    })
    .where(eq(chatSessions.id, id))
    .returning({ ...getTableColumns(chatSessions), current })
  return rows[0]!
}

/** Creates a session; it begins with the person's own settings if there are any. */
export async function insertSession(
  tx: Db,
  session: Omit<typeof chatSessions.$inferInsert, 'id'>,
): Promise<SessionRow> {
  const settings = sql`(SELECT d.settings FROM ${chatDefaults} d WHERE d.user_id = ${session.user_id})`
  return (
    await tx
      .insert(chatSessions)
      .values({ settings, ...session, id: createId() })
      .returning()
  )[0]!
}

/** Creates a session without a title, and makes it the current one of its channel. */
export async function insertCurrentSession(tx: Db, userId: string, chatbot: string): Promise<SessionRow> {
  const session = await insertSession(tx, { user_id: userId, chatbot, title: '' })
  await setCurrentSession(tx, userId, chatbot, session.id)
  return session
}

/**
 * Locks the session for a question: the named one, else the named turn's, else the current one, else a new one. Throws AppError
 * not_found if the named one does not exist or belongs to another chatbot.
 */
export async function lockOrCreateSession(
  tx: Db,
  userId: string,
  { sess_id, chat_id, chatbot }: SessionRef & { chatbot: string; chat_id?: string | null | undefined },
): Promise<SessionRow> {
  const session = sess_id
    ? await lockSession(tx, userId, sess_id)
    : chat_id
      ? await lockSessionOfTurn(tx, userId, chat_id)
      : await lockCurrentSession(tx, userId, chatbot)
  if (session?.chatbot === chatbot) return session
  if (sess_id || chat_id) throw new AppError('not_found')
  return insertCurrentSession(tx, userId, chatbot)
}

async function lockCurrentSession(tx: Db, userId: string, chatbot: string): Promise<SessionRow | undefined> {
  const id = (await findCurrentSession(tx, userId, chatbot))?.id
  return id === undefined ? undefined : lockSession(tx, userId, id)
}

type SessionPage = {
  chatbot: string
  archived: boolean
  /** Only sessions in this folder; `none`: only those in no folder. */
  folder_id: string | undefined
  size: number
  offset: number
}

function matchFolder(folderId: string | undefined): SQL | undefined {
  if (folderId === undefined) return undefined
  return folderId === 'none' ? isNull(chatSessions.folder_id) : eq(chatSessions.folder_id, folderId)
}

/** Lists sessions with questions: the pinned ones, then the latest first. */
export async function listSessions(
  db: Db,
  userId: string,
  { chatbot, archived, folder_id, size, offset }: SessionPage,
): Promise<{ total: number; rows: SessionRow[] }> {
  const where = and(
    eq(chatSessions.user_id, userId),
    matchChatbot(chatSessions.chatbot, chatbot),
    eq(chatSessions.archived, archived),
    matchFolder(folder_id),
    ne(chatSessions.title, ''),
  )
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(chatSessions)
      .where(where)
      .orderBy(desc(chatSessions.pinned), desc(chatSessions.updated_at), desc(chatSessions.id))
      .limit(size)
      .offset(offset),
    db.$count(chatSessions, where),
  ])
  return { total, rows }
}

/** Finds a user's turns with running answers, by session. It starts from runs, which unlike messages have an index for it. */
export async function findRunningTurns(db: Db, userId: string): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ sess_id: string; chat_id: string }>(sql`
    SELECT m.sess_id, m.chat_id FROM runs r JOIN chat_messages m ON m.run_id = r.id
    WHERE r.state = 'running' AND r.user_id = ${userId} AND m.status = 'typing'`)
  return new Map(rows.map(({ sess_id, chat_id }) => [sess_id, chat_id]))
}

/** Lists a part of a user's sessions with all chatbots, the oldest first. */
export async function listOwnSessions(
  db: Db,
  userId: string,
  { offset, size }: { offset: number; size: number },
): Promise<SessionRow[]> {
  return db
    .select()
    .from(chatSessions)
    .where(eq(chatSessions.user_id, userId))
    .orderBy(asc(chatSessions.id))
    .offset(offset)
    .limit(size)
}

/** Tells whether a user has a conversation with a chatbot. */
export async function hasSession(db: Db, userId: string, chatbot: string): Promise<boolean> {
  return (await listSessionIds(db, userId, chatbot)).length > 0
}

export async function listSessionIds(db: Db, userId: string, chatbot: string): Promise<string[]> {
  const rows = await db
    .select({ id: chatSessions.id })
    .from(chatSessions)
    .where(and(eq(chatSessions.user_id, userId), eq(chatSessions.chatbot, chatbot)))
  return rows.map(({ id }) => id)
}

export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  return (
    (await db.delete(chatSessions).where(ownedSession(userId, id)).returning({ id: chatSessions.id }))
      .length === 1
  )
}

/** Moves a guest's conversations to an account; current sessions and settings only where the account has none. */
export async function moveSessions(tx: Db, from: string, to: string): Promise<void> {
  // A message written meanwhile is indexed for its owner at that time; these locks order it before all of this, or after.
  await tx.execute(sql`SELECT 1 FROM chat_sessions WHERE user_id = ${from} ORDER BY id FOR UPDATE`)
  await tx.execute(sql`
    SELECT 1 FROM chat_messages m JOIN chat_sessions s ON s.id = m.sess_id
    WHERE s.user_id = ${from} AND m.status = 'typing' ORDER BY m.id FOR UPDATE OF m`)
  await moveTerms(tx, from, to)
  await tx.execute(sql`
    INSERT INTO chat_defaults (user_id, settings)
    SELECT ${to}, settings FROM chat_defaults WHERE user_id = ${from} ON CONFLICT DO NOTHING`)
  await tx.update(chatSessions).set({ user_id: to }).where(eq(chatSessions.user_id, from))
  await tx.execute(sql`
    INSERT INTO chat_current (user_id, chatbot, sess_id)
    SELECT ${to}, chatbot, sess_id FROM chat_current WHERE user_id = ${from} ON CONFLICT DO NOTHING`)
  await tx.delete(chatCurrent).where(eq(chatCurrent.user_id, from))
}

/** Lists the sessions of a person among these, in any order. */
export async function listSessionsByIds(db: Db, userId: string, ids: string[]): Promise<SessionRow[]> {
  if (!ids.length) return []
  return db
    .select()
    .from(chatSessions)
    .where(and(inArray(chatSessions.id, ids), eq(chatSessions.user_id, userId)))
}

type SessionChanges = Partial<Pick<SessionRow, 'title' | 'titled_by' | 'pinned'>>

/** Changes a session; its position by time stays. */
export async function updateSession(
  db: Db,
  userId: string,
  id: string,
  changes: SessionChanges,
): Promise<SessionRow | undefined> {
  return (await db.update(chatSessions).set(changes).where(ownedSession(userId, id)).returning())[0]
}

/** Archives or restores sessions; returns how many of these the user has. */
export async function setArchived(db: Db, userId: string, ids: string[], archived: boolean): Promise<number> {
  const rows = await db
    .update(chatSessions)
    .set({ archived })
    .where(and(inArray(chatSessions.id, ids), eq(chatSessions.user_id, userId)))
    .returning({ id: chatSessions.id })
  return rows.length
}

/** Undefined settings keep their values: JSON leaves them out. */
export type SettingsChanges = { [Name in keyof SessionSettings]?: SessionSettings[Name] | undefined }

/** Changes the given settings of a session, and leaves the others. */
export async function updateSessionSettings(
  db: Db,
  userId: string,
  id: string,
  changes: SettingsChanges,
): Promise<SessionRow | undefined> {
  const settings = sql`coalesce(${chatSessions.settings}, '{}'::jsonb) || ${JSON.stringify(changes)}::jsonb`
  return (await db.update(chatSessions).set({ settings }).where(ownedSession(userId, id)).returning())[0]
}

/** Claims a session's only chance of a better title than its first question; undefined when it was taken. */
export async function claimTitle(db: Db, userId: string, id: string): Promise<SessionRow | undefined> {
  const rows = await db
    .update(chatSessions)
    .set({ titled_by: 'model' })
    .where(and(ownedSession(userId, id), eq(chatSessions.titled_by, 'question')))
    .returning()
  return rows[0]
}

/** Stores a generated title, unless a person wrote one meanwhile. */
export async function setGeneratedTitle(db: Db, userId: string, id: string, title: string): Promise<void> {
  await db
    .update(chatSessions)
    .set({ title })
    .where(and(ownedSession(userId, id), eq(chatSessions.titled_by, 'model')))
}

/** Removes a session's title, as in a new one; a person's title stays. */
export async function forgetTitle(tx: Db, userId: string, id: string): Promise<void> {
  await tx
    .update(chatSessions)
    .set({ title: '', titled_by: 'question' })
    .where(and(ownedSession(userId, id), ne(chatSessions.titled_by, 'person')))
}

export async function findDefaultSettings(
  db: Db,
  userId: string,
): Promise<Partial<SessionSettings> | undefined> {
  const rows = await db
    .select({ settings: chatDefaults.settings })
    .from(chatDefaults)
    .where(eq(chatDefaults.user_id, userId))
  return rows[0]?.settings
}

/** Changes the given settings of a person's new sessions; returns all that are set. */
export async function updateDefaultSettings(
  db: Db,
  userId: string,
  changes: SettingsChanges,
): Promise<Partial<SessionSettings>> {
  const rows = await db
    .insert(chatDefaults)
    .values({ user_id: userId, settings: changes as Partial<SessionSettings> })
    .onConflictDoUpdate({
      target: chatDefaults.user_id,
      set: { settings: sql`${chatDefaults.settings} || ${JSON.stringify(changes)}::jsonb` },
    })
    .returning({ settings: chatDefaults.settings })
  return rows[0]!.settings
}
