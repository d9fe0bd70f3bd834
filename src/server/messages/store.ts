import { and, eq, isNull, sql } from 'drizzle-orm'
import type { MessageChannel } from '#contract/messages/messages.ts'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import { userMessages } from './tables.ts'

/** Times in ISO 8601. */
export type MessageRow = {
  id: string
  channel: MessageChannel
  title: string
  text: string
  link: string | null
  read: boolean
  created_at: string
}
type Page = { size: number; offset: number }

/** Keeps a message for a user; nothing where the account was deleted. */
export async function insertMessage(
  tx: Db,
  { id, user_id, channel, title, text, link }: Omit<MessageRow, 'read' | 'created_at'> & { user_id: string },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO user_messages (id, user_id, channel, title, text, link)
    SELECT ${id}::uuid, id, ${channel}, ${title}, ${text}, ${link} FROM users WHERE id = ${user_id}`)
}

/** A page of a user's messages, the newest first, and how many there are on all pages. */
export async function listMessages(
  db: Db,
  user_id: string,
  {
    channel,
    unread = false,
    size,
    offset,
  }: Page & { channel?: MessageChannel | 'unknown' | undefined; unread?: boolean },
): Promise<{ rows: MessageRow[]; total: number }> {
  const chosen = sql`user_id = ${user_id}
    ${channel === undefined ? sql`` : sql`AND channel = ${channel}`} ${unread ? sql`AND read_at IS NULL` : sql``}`
  // One statement, since every open page asks now and then: the total stands beside each row, or alone without any.
  const { rows } = await db.execute<MessageRow & { total: number }>(sql`
    SELECT t.total, m.* FROM (SELECT count(*)::int AS total FROM user_messages WHERE ${chosen}) t
    LEFT JOIN (
      SELECT id, channel, title, text, link, read_at IS NOT NULL AS read, ${momentSql(sql`created_at`)} AS created_at
      FROM user_messages WHERE ${chosen} ORDER BY id DESC LIMIT ${size} OFFSET ${offset}
    ) m ON true ORDER BY m.id DESC`)
  return { rows: rows.filter(({ id }) => id), total: rows[0]!.total }
}

export async function markAllAsRead(db: Db, user_id: string): Promise<void> {
  await db
    .update(userMessages)
    .set({ read_at: sql`now()` })
    .where(and(eq(userMessages.user_id, user_id), isNull(userMessages.read_at)))
}

export async function deleteOldMessages(db: Db, days: number): Promise<void> {
  await db
    .delete(userMessages)
    .where(sql`${userMessages.created_at} < now() - make_interval(days => ${days})`)
}
