import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/accounts/users/tables.ts'

/** People's own prompts; built-in ones are in config/prompts.json. */
export const prompts = pgTable(
  'prompts',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    desc: text().notNull(),
    text: text().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('prompts_owner').on(t.user_id, t.id)],
)
