import { bigint, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/accounts/users/tables.ts'

/** Files that people have uploaded: the object is in the store under `key`. */
export const files = pgTable(
  'files',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** MD5 of its content, as the server has read it. */
    md5: text().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    key: text().notNull(),
    /** Part of the product for which it was uploaded. */
    channel: text().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('files_content').on(t.user_id, t.channel, t.md5), index('files_key').on(t.key)],
)
