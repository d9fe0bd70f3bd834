import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { files } from './tables.ts'

export type FileRow = typeof files.$inferSelect

/** Columns of a file for queries of rows that belong to it; join by `joinFile`. */
export const fileColumns = { type: files.type, size: files.size, md5: files.md5, key: files.key }

/** Arguments of a join: the file that a row names. */
export const joinFile = (fileId: AnyPgColumn) => [files, eq(files.id, fileId)] as const

/** Waits until nobody else records or deletes an object of this key. */
export async function lockObject(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`object ${key}`}, 0))`)
}

/**
 * Records a file; a record of the same content that the user has in this channel already stays, and is returned. It is locked
 * until the transaction ends.
 */
export async function insertFile(tx: Db, file: Omit<FileRow, 'created_at'>): Promise<FileRow> {
  const { user_id, channel, md5 } = files
  const rows = await tx
    .insert(files)
    .values(file)
    .onConflictDoUpdate({ target: [user_id, channel, md5], set: { md5: file.md5 } })
    .returning()
  return rows[0]!
}

export async function findFileByMd5(
  db: Db,
  userId: string,
  channel: string,
  md5: string,
): Promise<FileRow | undefined> {
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.user_id, userId), eq(files.channel, channel), eq(files.md5, md5)))
  return rows[0]
}

export async function findFileByKey(db: Db, userId: string, key: string): Promise<FileRow | undefined> {
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.key, key), eq(files.user_id, userId)))
  return rows[0]
}

/** Finds a file of a user by its content, whatever it was saved for. */
export async function findFileOfContent(db: Db, userId: string, md5: string): Promise<FileRow | undefined> {
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.user_id, userId), eq(files.md5, md5)))
    .limit(1)
  return rows[0]
}

/** Deletes the record of a user's file, with all that depends on it. */
export async function deleteFile(tx: Db, userId: string, id: string): Promise<void> {
  await tx.delete(files).where(and(eq(files.id, id), eq(files.user_id, userId)))
}

/** Counts the files of an account that are on record, and their bytes. */
export async function sumFiles(db: Db, userId: string): Promise<{ used_bytes: number; count: number }> {
  const { rows } = await db.execute<{ used_bytes: string; count: number }>(sql`
    SELECT coalesce(sum(size), 0)::text AS used_bytes, count(*)::int AS count FROM files WHERE user_id = ${userId}`)
  return { used_bytes: Number(rows[0]!.used_bytes), count: rows[0]!.count }
}

/** Waits until nobody else records files of an account. */
export async function lockFilesOf(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`files ${userId}`}, 0))`)
}

/** Returns the keys among these that have a record. */
export async function listKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    SELECT key FROM files WHERE key IN (SELECT json_array_elements_text(${JSON.stringify(keys)}::json))`)
  return new Set(rows.map(({ key }) => key))
}
