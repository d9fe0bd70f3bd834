import { sql } from 'drizzle-orm'
import { index, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { chatMessages } from '../tables.ts'

/** What each message can be found by: see terms.ts. A message without text has no row. */
export const chatTerms = pgTable(
  'chat_terms',
  {
    message_id: uuid()
      .primaryKey()
      .references(() => chatMessages.id, { onDelete: 'cascade' }),
    /** Null: written before there was a search, its terms are still to be made. */
    terms: integer().array(),
  },
  (t) => [
    // New terms gather in a list of so many kB before they are put in order: writing costs a third, and a search that
    // has to read the list too does not notice.
    index('chat_terms_terms').using('gin', t.terms).with({ gin_pending_list_limit: 512 }),
    index('chat_terms_missing')
      .on(t.message_id)
      .where(sql`${t.terms} IS NULL`),
  ],
)
