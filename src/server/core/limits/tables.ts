import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Uses that limits on people count, over all processes: a row for each key of a use, kept while it counts. */
export const limitUses = pgTable(
  'limit_uses',
  {
    /** The use, which may count for several keys. */
    use_id: uuid().notNull(),
    /** The limit's name and the holder it counts for, hashed if that is a person's address. */
    key: text().notNull(),
    used_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('limit_uses_key').on(t.key, t.used_at), index('limit_uses_use').on(t.use_id)],
)
