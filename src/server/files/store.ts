import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { files } from './tables.ts'

export type FileRow = typeof files.$inferSelect

/** A file as columns of whatever reads it beside what it belongs to: join by `joinFile`. */
export const fileColumns = { type: files.type, size: files.size, md5: files.md5, key: files.key }

/** What to join: the file that a row names. */
export const joinFile = (file_id: AnyPgColumn) => [files, eq(files.id, file_id)] as const

/** Records a file; the same content that the user has in this channel already stays as it is and is returned. */
export async function insertFile(tx: Db, file: Omit<FileRow, 'created_at'>): Promise<FileRow> {
  await tx.insert(files).values(file).onConflictDoNothing()
  return (await findFileByMd5(tx, file.user_id, file.channel, file.md5))!
}

export async function findFileByMd5(
  db: Db,
  user_id: string,
  channel: string,
  md5: string,
): Promise<FileRow | undefined> {
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.user_id, user_id), eq(files.channel, channel), eq(files.md5, md5)))
  return rows[0]
}

/** A file of a user by its key. */
export async function findFileByKey(db: Db, user_id: string, key: string): Promise<FileRow | undefined> {
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.key, key), eq(files.user_id, user_id)))
  return rows[0]
}

/** Deletes the record of a user's file; returns its key where no other record names it. */
export async function deleteFile(tx: Db, user_id: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ key: string; is_shared: boolean }>(sql`
    DELETE FROM files f WHERE id = ${id} AND user_id = ${user_id}
    RETURNING key, EXISTS (SELECT 1 FROM files o WHERE o.key = f.key AND o.id <> f.id) AS is_shared`)
  return rows[0] && !rows[0].is_shared ? rows[0].key : undefined
}

/** Which of these keys have a record. */
export async function listKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    SELECT key FROM files WHERE key IN (SELECT json_array_elements_text(${JSON.stringify(keys)}::json))`)
  return new Set(rows.map(({ key }) => key))
}
