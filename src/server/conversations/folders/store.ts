import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { matchChatbot } from '../store.ts'
import { chatFolders, chatSessions } from '../tables.ts'

export type FolderRow = typeof chatFolders.$inferSelect

const ownedFolder = (userId: string, id: string) =>
  and(eq(chatFolders.id, id), eq(chatFolders.user_id, userId))

/** Keeps other transactions from changing the names of this person's folders until this one ends. */
export async function lockFolders(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`folders:${userId}`}, 0))`)
}

/** Lists all folders of a user in any order, each with the number of its listed sessions of a chatbot. */
export async function listFolders(
  db: Db,
  userId: string,
  chatbot: string,
): Promise<(FolderRow & { count: number })[]> {
  const inFolder = and(
    eq(chatSessions.folder_id, chatFolders.id),
    eq(chatSessions.user_id, userId),
    matchChatbot(chatSessions.chatbot, chatbot),
    eq(chatSessions.archived, false),
    ne(chatSessions.title, ''),
  )
  const rows = await db
    .select({ folder: chatFolders, count: sql<number>`count(${chatSessions.id})::int` })
    .from(chatFolders)
    .leftJoin(chatSessions, inFolder)
    .where(eq(chatFolders.user_id, userId))
    .groupBy(chatFolders.id)
  return rows.map(({ folder, count }) => ({ ...folder, count }))
}

export const countFolders = (db: Db, userId: string): Promise<number> =>
  db.$count(chatFolders, eq(chatFolders.user_id, userId))

export async function findFolderByName(db: Db, userId: string, name: string): Promise<FolderRow | undefined> {
  const nameFilter = and(eq(chatFolders.user_id, userId), eq(chatFolders.name, name))
  return (await db.select().from(chatFolders).where(nameFilter))[0]
}

export async function insertFolder(tx: Db, userId: string, name: string): Promise<FolderRow> {
  return (await tx.insert(chatFolders).values({ id: createId(), user_id: userId, name }).returning())[0]!
}

export async function renameFolder(
  tx: Db,
  userId: string,
  id: string,
  name: string,
): Promise<FolderRow | undefined> {
  return (await tx.update(chatFolders).set({ name }).where(ownedFolder(userId, id)).returning())[0]
}

/** Deletes a folder, but not its sessions. */
export async function deleteFolder(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db.delete(chatFolders).where(ownedFolder(userId, id)).returning({ id: chatFolders.id })
  return rows.length === 1
}

/** Tells whether a folder is the user's, and keeps it from being deleted until the transaction ends. */
export async function lockFolder(tx: Db, userId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: chatFolders.id })
    .from(chatFolders)
    .where(ownedFolder(userId, id))
    .for('key share')
  return rows.length === 1
}

/** Returns the folder of a user's session, and keeps it from being deleted until the transaction ends. */
export async function lockFolderOfSession(
  tx: Db,
  userId: string,
  sessId: string,
): Promise<string | undefined> {
  const rows = await tx
    .select({ id: chatFolders.id })
    .from(chatFolders)
    .innerJoin(chatSessions, eq(chatSessions.folder_id, chatFolders.id))
    .where(and(eq(chatSessions.id, sessId), eq(chatSessions.user_id, userId)))
    .for('key share', { of: chatFolders })
  return rows[0]?.id
}

/** Moves sessions into a folder that the caller has locked, or out of any with null; returns how many of them the user has. */
export async function moveIntoFolder(
  tx: Db,
  userId: string,
  sessIds: string[],
  folderId: string | null,
): Promise<number> {
  const rows = await tx
    .update(chatSessions)
    .set({ folder_id: folderId })
    .where(and(inArray(chatSessions.id, sessIds), eq(chatSessions.user_id, userId)))
    .returning({ id: chatSessions.id })
  return rows.length
}
