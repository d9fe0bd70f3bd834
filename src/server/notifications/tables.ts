import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { notificationChannels } from '#contract/notifications/notifications.ts'
import { users } from '#server/accounts/users/tables.ts'

/** Release notes written by the operator, beside those shipped with the program. */
export const releases = pgTable('releases', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  /** Markdown. */
  text: text().notNull(),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})

/** Notifications to users. */
export const userMessages = pgTable(
  'user_messages',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    channel: text({ enum: notificationChannels }).notNull(),
    title: text().notNull(),
    text: text().notNull(),
    /** A path of this site. */
    link: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    read_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('user_messages_user').on(t.user_id, t.id),
    index('user_messages_unread')
      .on(t.user_id, t.id)
      .where(sql`${t.read_at} IS NULL`),
  ],
)
