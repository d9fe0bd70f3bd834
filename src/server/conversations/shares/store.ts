import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { shareMessages, shares } from './tables.ts'

export type ShareRow = typeof shares.$inferSelect
export type ShareMessageRow = typeof shareMessages.$inferSelect
type ListedShare = ShareRow & { count: number }

/** Inserts a share with its messages; false when the user already has one of the same messages. */
export async function insertShare(
  tx: Db,
  share: typeof shares.$inferInsert,
  messages: Omit<typeof shareMessages.$inferInsert, 'share_id' | 'nth'>[],
): Promise<boolean> {
  const inserted = await tx.insert(shares).values(share).onConflictDoNothing().returning({ id: shares.id })
  if (!inserted.length) return false
  await tx
    .insert(shareMessages)
    .values(messages.map((message, nth) => ({ ...message, nth, share_id: share.id })))
  return true
}

const messageCount = sql<number>`(SELECT count(*)::int FROM ${shareMessages} m WHERE m.share_id = ${shares}.id)`
const columns = {
  id: shares.id,
  user_id: shares.user_id,
  sess_id: shares.sess_id,
  title: shares.title,
  digest: shares.digest,
  created_at: shares.created_at,
  count: messageCount,
}

export async function findSameShare(
  db: Db,
  userId: string,
  sessId: string,
  digest: string,
): Promise<ListedShare | undefined> {
  const rows = await db
    .select(columns)
    .from(shares)
    .where(and(eq(shares.user_id, userId), eq(shares.sess_id, sessId), eq(shares.digest, digest)))
  return rows[0]
}

export async function countShares(db: Db, userId: string): Promise<number> {
  return (await db.select({ n: count() }).from(shares).where(eq(shares.user_id, userId)))[0]!.n
}

/** Lists a user's shares, the latest first. */
export async function listShares(
  db: Db,
  userId: string,
  { size, offset }: { size: number; offset: number },
): Promise<ListedShare[]> {
  return db
    .select(columns)
    .from(shares)
    .where(eq(shares.user_id, userId))
    .orderBy(desc(shares.created_at), desc(shares.id))
    .limit(size)
    .offset(offset)
}

/** Deletes a share of a user; false when the user has no such share. */
export async function deleteShare(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(shares)
    .where(and(eq(shares.id, id), eq(shares.user_id, userId)))
    .returning({ id: shares.id })
  return rows.length === 1
}

/** Finds a share and its messages by the link alone, for everybody who has it. */
export async function findShareByLink(
  db: Db,
  id: string,
): Promise<{ share: ShareRow; messages: ShareMessageRow[] } | undefined> {
  const rows = await db
    .select({ share: shares, message: shareMessages })
    .from(shares)
    .innerJoin(shareMessages, eq(shareMessages.share_id, shares.id))
    .where(eq(shares.id, id))
    .orderBy(asc(shareMessages.nth))
  return rows[0] && { share: rows[0].share, messages: rows.map(({ message }) => message) }
}
