import { pgTable, primaryKey, integer, text } from 'drizzle-orm/pg-core'

/**
 * Guests' turns in a day: by guest, by client address (hashed), and in all (`house`); and those of visitors of agents' widgets.
 */
export const guestTurns = pgTable(
  'guest_turns',
  {
    /** Date in China, `2026-11-21`. */
    day: text().notNull(),
    key: text().notNull(),
    turns: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.key] })],
)
