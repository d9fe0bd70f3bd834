import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { matchChatbot } from '../store.ts'
import { chatFolders, chatSessions } from '../tables.ts'

export type FolderRow = typeof chatFolders.$inferSelect

const ownedFolder = (user_id: string, id: string) =>
  and(eq(chatFolders.id, id), eq(chatFolders.user_id, user_id))

/** Until the transaction ends, no other one changes the names of this person's folders. */
export async function lockFolders(tx: Db, user_id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`folders:${user_id}`}, 0))`)
}

/** All folders of a user in any order, and how many listed sessions of a chatbot lie in each. */
export async function listFolders(
  db: Db,
  user_id: string,
  chatbot: string,
): Promise<(FolderRow & { count: number })[]> {
  const inFolder = and(
    eq(chatSessions.folder_id, chatFolders.id),
    eq(chatSessions.user_id, user_id),
    matchChatbot(chatSessions.chatbot, chatbot),
    eq(chatSessions.archived, false),
    ne(chatSessions.title, ''),
  )
  const rows = await db
    .select({ folder: chatFolders, count: sql<number>`count(${chatSessions.id})::int` })
    .from(chatFolders)
    .leftJoin(chatSessions, inFolder)
    .where(eq(chatFolders.user_id, user_id))
    .groupBy(chatFolders.id)
  return rows.map(({ folder, count }) => ({ ...folder, count }))
}

export const countFolders = (db: Db, user_id: string): Promise<number> =>
  db.$count(chatFolders, eq(chatFolders.user_id, user_id))

export async function findFolderByName(
  db: Db,
  user_id: string,
  name: string,
): Promise<FolderRow | undefined> {
  const named = and(eq(chatFolders.user_id, user_id), eq(chatFolders.name, name))
  return (await db.select().from(chatFolders).where(named))[0]
}

export async function insertFolder(tx: Db, user_id: string, name: string): Promise<FolderRow> {
  return (await tx.insert(chatFolders).values({ id: createId(), user_id, name }).returning())[0]!
}

export async function renameFolder(
  tx: Db,
  user_id: string,
  id: string,
  name: string,
): Promise<FolderRow | undefined> {
  return (await tx.update(chatFolders).set({ name }).where(ownedFolder(user_id, id)).returning())[0]
}

/** Deletes a folder; its sessions stay, in none. */
export async function deleteFolder(db: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await db.delete(chatFolders).where(ownedFolder(user_id, id)).returning({ id: chatFolders.id })
  return rows.length === 1
}

/** Whether a folder is the user's; it cannot be deleted before the transaction ends. */
export async function lockFolder(tx: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: chatFolders.id })
    .from(chatFolders)
    .where(ownedFolder(user_id, id))
    .for('key share')
  return rows.length === 1
}

/** The folder that a session of the user lies in, which cannot be deleted before the transaction ends. */
export async function lockFolderOfSession(
  tx: Db,
  user_id: string,
  sess_id: string,
): Promise<string | undefined> {
  const rows = await tx
    .select({ id: chatFolders.id })
    .from(chatFolders)
    .innerJoin(chatSessions, eq(chatSessions.folder_id, chatFolders.id))
    .where(and(eq(chatSessions.id, sess_id), eq(chatSessions.user_id, user_id)))
    .for('key share', { of: chatFolders })
  return rows[0]?.id
}

/** Puts sessions into a folder that the caller has locked, or with null into none; returns how many of these the user has. */
export async function moveIntoFolder(
  tx: Db,
  user_id: string,
  sess_ids: string[],
  folder_id: string | null,
): Promise<number> {
  const rows = await tx
    .update(chatSessions)
    .set({ folder_id })
    .where(and(inArray(chatSessions.id, sess_ids), eq(chatSessions.user_id, user_id)))
    .returning({ id: chatSessions.id })
  return rows.length
}
