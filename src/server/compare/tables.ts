import { boolean, index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { questionKinds } from '#contract/compare-limits.ts'
import type { Column } from '#contract/compare/compare.ts'
import { chatSessions } from '#server/conversations/tables.ts'
import { users } from '#server/users/tables.ts'

/** What a session of the channel `compare` has beside its messages; scoped by the owner of the session. */
export const comparisons = pgTable('comparisons', {
  sess_id: uuid()
    .primaryKey()
    .references(() => chatSessions.id, { onDelete: 'cascade' }),
  models: jsonb().$type<Column[]>().notNull().default([]),
  blind: boolean().notNull().default(false),
})

/** A voted answer as the scoreboard needs it; `amount` in coins. */
export type VotedAnswer = {
  model: string
  first_text_ms: number | null
  duration_ms: number | null
  output_tokens: number
  amount: number
}

/** What a person thought of a turn. It outlives the conversation, and keeps the figures of its answers. */
export const compareVotes = pgTable(
  'compare_votes',
  {
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    chat_id: uuid().notNull(),
    sess_id: uuid().references(() => chatSessions.id, { onDelete: 'set null' }),
    kind: text({ enum: questionKinds }).notNull(),
    /** The id of a model, `tie` or `none`. */
    winner: text().notNull(),
    /** Those that were done when it was voted. */
    answers: jsonb().$type<VotedAnswer[]>().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.chat_id] }),
    index('compare_votes_recent').on(t.user_id, t.created_at),
    index('compare_votes_session').on(t.sess_id),
  ],
)
