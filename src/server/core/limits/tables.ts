import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Uses of what is limited for people, over all processes: a row for each key that a use counts for, kept while it counts. */
export const limitUses = pgTable(
  'limit_uses',
  {
    /** The use, which may count for several keys. */
    use_id: uuid().notNull(),
    /** The limit's name and the one that it counts for, hashed where that is an address of a person. */
    key: text().notNull(),
    used_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('limit_uses_key').on(t.key, t.used_at), index('limit_uses_use').on(t.use_id)],
)
