import { index, integer, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { apiKeys } from '#server/accounts/keys/tables.ts'
import { users } from '#server/accounts/users/tables.ts'

const createdTimestamp = () => timestamp({ withTimezone: true }).notNull().defaultNow()
const ownerColumn = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Completions in the background. Their state is their run's. */
export const gatewayCompletions = pgTable(
  'gateway_completions',
  {
    run_id: uuid().primaryKey(),
    user_id: ownerColumn(),
    model: text().notNull(),
    /** The result of its run as JSON, once it has one (cached-result.ts). Text, since jsonb holds no U+0000. */
    answer: text(),
    created_at: createdTimestamp(),
  },
  (t) => [index('gateway_completions_age').on(t.created_at)],
)

/**
 * Responses that a key may fetch, refer to and continue. They hold texts of people: the sweep deletes them after their time, and
 * after the key was deleted.
 */
export const gatewayResponses = pgTable(
  'gateway_responses',
  {
    run_id: uuid().primaryKey(),
    key_id: uuid()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** The response that it continues, which may be gone. */
    previous_run_id: uuid(),
    /** The request without its input, JSON. */
    request: text().notNull(),
    /** The items that it brought, JSON. */
    input: text().notNull(),
    /** The result of its run, once it has one, as for completions. */
    answer: text(),
    /** Characters of input and answer. */
    chars: integer().notNull(),
    created_at: createdTimestamp(),
  },
  (t) => [
    index('gateway_responses_key').on(t.key_id, t.created_at),
    index('gateway_responses_age').on(t.created_at),
  ],
)

/** Conversations that are remembered for a key, under the name that its program chose. */
export const gatewayConversations = pgTable(
  'gateway_conversations',
  {
    id: uuid().primaryKey(),
    user_id: ownerColumn(),
    key_id: uuid()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    sess_id: text().notNull(),
    /** Its newest run: while that is running no other call continues the conversation. */
    run_id: uuid(),
    /** Its system messages, JSON. */
    system: text().notNull().default('[]'),
    updated_at: createdTimestamp(),
  },
  (t) => [
    unique('gateway_conversations_name').on(t.key_id, t.sess_id),
    index('gateway_conversations_age').on(t.updated_at),
  ],
)

/** The new messages of one call and the answer to it. Scoped by the conversation. */
export const gatewayTurns = pgTable(
  'gateway_turns',
  {
    id: uuid().primaryKey(),
    conversation_id: uuid()
      .notNull()
      .references(() => gatewayConversations.id, { onDelete: 'cascade' }),
    /** JSON. */
    messages: text().notNull(),
    chars: integer().notNull(),
    created_at: createdTimestamp(),
  },
  (t) => [index('gateway_turns_conversation').on(t.conversation_id, t.id)],
)

/**
 * Reasoning of models before they called tools, kept for a day for clients that do not send it back. The key of a call is made of
 * the parts that its client repeats, since some platforms number their calls anew in each conversation.
 */
export const gatewayReasoning = pgTable(
  'gateway_reasoning',
  {
    account_id: uuid().notNull(),
    /** The user of its API key, so that a user's reasoning is deleted with the user. */
    user_id: ownerColumn(),
    call_key: text().notNull(),
    /** The reasoning, and the signatures of the calls, as JSON. */
    reasoning: text().notNull(),
    created_at: createdTimestamp(),
  },
  (t) => [
    primaryKey({ columns: [t.account_id, t.call_key] }),
    index('gateway_reasoning_age').on(t.created_at),
    index('gateway_reasoning_user').on(t.user_id),
  ],
)
