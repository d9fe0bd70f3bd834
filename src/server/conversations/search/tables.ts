import { sql } from 'drizzle-orm'
import { index, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { chatMessages } from '../tables.ts'

/** The search terms of each message: see terms.ts. A message without text has no row. */
export const chatTerms = pgTable(
  'chat_terms',
  {
    message_id: uuid()
      .primaryKey()
      .references(() => chatMessages.id, { onDelete: 'cascade' }),
    /** Null: the terms still have to be made, since the message is older than the index. */
    terms: integer().array(),
  },
  (t) => [
    // New terms gather in a list of so many kB before they are sorted in: writing costs a third, and a search that also has to
    // read the list is not noticeably slower.
    index('chat_terms_terms').using('gin', t.terms).with({ gin_pending_list_limit: 512 }),
    index('chat_terms_missing')
      .on(t.message_id)
      .where(sql`${t.terms} IS NULL`),
  ],
)
