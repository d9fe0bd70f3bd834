import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { NotificationChannel } from '#contract/notifications/notifications.ts'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import { releases, userMessages } from './tables.ts'

/** A message to one user. `link`: a path of this site for details or actions. */
export type NewNotification = { channel: NotificationChannel; title: string; text: string; link?: string }

/** Times in ISO 8601. */
export type NotificationRow = {
  id: string
  channel: NotificationChannel
  title: string
  text: string
  link: string | null
  read: boolean
  created_at: string
}
type Page = { size: number; offset: number }

/** Inserts a message for a user; does nothing if the account was deleted. */
export async function insertNotification(
  tx: Db,
  {
    id,
    user_id,
    channel,
    title,
    text,
    link,
  }: Omit<NotificationRow, 'read' | 'created_at'> & { user_id: string },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO user_messages (id, user_id, channel, title, text, link)
    SELECT ${id}::uuid, id, ${channel}, ${title}, ${text}, ${link} FROM users WHERE id = ${user_id}`)
}

/**
 * Inserts a message for the next `size` accounts after the id `after`; returns their number and the last id. Each message's id
 * shares the time part of `id`, but not its random part. An account that is being deleted is left out.
 */
export async function insertNotifications(
  db: Db,
  { id, channel, title, text, link }: Omit<NotificationRow, 'read' | 'created_at'>,
  { after, size }: { after: string; size: number },
): Promise<{ count: number; last: string | null }> {
  const { rows } = await db.execute<{ count: number; last: string | null }>(sql`
    WITH accounts AS (
      SELECT id FROM users WHERE id > ${after}::uuid AND NOT guest ORDER BY id LIMIT ${size} FOR KEY SHARE
    ), told AS (
      INSERT INTO user_messages (id, user_id, channel, title, text, link)
      SELECT (left(${id}::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, id, ${channel}::text, ${title}::text,
        ${text}::text, ${link}::text FROM accounts
      RETURNING user_id
    )
    SELECT count(*)::int AS count, (SELECT user_id FROM told ORDER BY user_id DESC LIMIT 1) AS last FROM told`)
  return rows[0]!
}

export async function insertRelease(db: Db, release: typeof releases.$inferInsert): Promise<void> {
  await db.insert(releases).values(release)
}

/** Newest first. */
export const listReleases = (db: Db): Promise<(typeof releases.$inferSelect)[]> =>
  db.select().from(releases).orderBy(desc(releases.id))

/** Returns a page of a user's messages, the newest first, and the number of all. */
export async function listNotifications(
  db: Db,
  userId: string,
  {
    channel,
    unread = false,
    size,
    offset,
  }: Page & { channel?: NotificationChannel | 'unknown' | undefined; unread?: boolean },
): Promise<{ rows: NotificationRow[]; total: number }> {
  const filter = sql`user_id = ${userId}
    ${channel === undefined ? sql`` : sql`AND channel = ${channel}`} ${unread ? sql`AND read_at IS NULL` : sql``}`
  // One statement, since every open page polls: the total stands in each row, or alone if there are none.
  const { rows } = await db.execute<NotificationRow & { total: number }>(sql`
    SELECT t.total, m.* FROM (SELECT count(*)::int AS total FROM user_messages WHERE ${filter}) t
    LEFT JOIN (
      SELECT id, channel, title, text, link, read_at IS NOT NULL AS read, ${momentSql(sql`created_at`)} AS created_at
      FROM user_messages WHERE ${filter} ORDER BY id DESC LIMIT ${size} OFFSET ${offset}
    ) m ON true ORDER BY m.id DESC`)
  return { rows: rows.filter(({ id }) => id), total: rows[0]!.total }
}

export async function markAllAsRead(db: Db, userId: string): Promise<void> {
  await db
    .update(userMessages)
    .set({ read_at: sql`now()` })
    .where(and(eq(userMessages.user_id, userId), isNull(userMessages.read_at)))
}

export async function deleteOldNotifications(db: Db, days: number): Promise<void> {
  await db
    .delete(userMessages)
    .where(sql`${userMessages.created_at} < now() - make_interval(days => ${days})`)
}
