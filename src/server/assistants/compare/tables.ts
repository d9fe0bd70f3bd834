import { boolean, index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { questionKinds } from '#contract/compare-limits.ts'
import type { Column } from '#contract/compare/compare.ts'
import { chatSessions } from '#server/conversations/tables.ts'
import { users } from '#server/accounts/users/tables.ts'

/** Data of a session of the channel `compare` besides its messages; belongs to the owner of the session. */
export const comparisons = pgTable('comparisons', {
  sess_id: uuid()
    .primaryKey()
    .references(() => chatSessions.id, { onDelete: 'cascade' }),
  models: jsonb().$type<Column[]>().notNull().default([]),
  blind: boolean().notNull().default(false),
})

/** An answer at the time of the vote, for the scoreboard; `amount` in coins. */
export type VotedAnswer = {
  model: string
  first_text_ms: number | null
  duration_ms: number | null
  output_tokens: number
  amount: number
}

/** A person's vote on a turn. It outlives the conversation, and keeps the figures of the answers. */
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
    /** The answers that were complete at the vote. */
    answers: jsonb().$type<VotedAnswer[]>().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.chat_id] }),
    index('compare_votes_recent').on(t.user_id, t.created_at),
    index('compare_votes_session').on(t.sess_id),
  ],
)
