import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { messageStatuses } from '#contract/chat.ts'
import type { ChatMessage, Feedback } from '#contract/chat.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { users } from '#server/users/tables.ts'

const at = () => timestamp({ withTimezone: true })
const ownedByUser = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Where a person puts sessions that belong together. */
export const chatFolders = pgTable(
  'chat_folders',
  {
    id: uuid().primaryKey(),
    user_id: ownedByUser(),
    name: text().notNull(),
    created_at: at().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('chat_folders_name').on(t.user_id, t.name)],
)

export const chatSessions = pgTable(
  'chat_sessions',
  {
    id: uuid().primaryKey(),
    user_id: ownedByUser(),
    chatbot: text().notNull(),
    title: text().notNull(),
    /** Who wrote the title: only the words of its first question give way to a better one. */
    titled_by: text({ enum: ['question', 'model', 'person'] })
      .notNull()
      .default('question'),
    pinned: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    /** A folder of the same user: whoever puts a session there looks the folder up by its owner. */
    folder_id: uuid().references(() => chatFolders.id, { onDelete: 'set null' }),
    /** Model of its last question. */
    model: text(),
    /** Null: the product's defaults. */
    settings: jsonb().$type<Partial<SessionSettings>>(),
    created_at: at().notNull().defaultNow(),
    updated_at: at().notNull().defaultNow(),
  },
  (t) => [
    index('chat_sessions_recent').on(t.user_id, t.chatbot, t.pinned, t.updated_at),
    index('chat_sessions_folder')
      .on(t.folder_id)
      .where(sql`${t.folder_id} IS NOT NULL`),
  ],
)

/** The session that calls without a sess_id mean, for each visitor and chatbot. */
export const chatCurrent = pgTable(
  'chat_current',
  {
    user_id: ownedByUser(),
    chatbot: text().notNull(),
    sess_id: uuid()
      .notNull()
      .references(() => chatSessions.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.chatbot] })],
)

/** The settings that a person's new sessions begin with. */
export const chatDefaults = pgTable('chat_defaults', {
  user_id: ownedByUser().primaryKey(),
  settings: jsonb().$type<Partial<SessionSettings>>().notNull(),
})

/** Scoped by the owner of its session. A question and its answers share `chat_id`. */
export const chatMessages = pgTable(
  'chat_messages',
  {
    id: uuid().primaryKey(),
    sess_id: uuid()
      .notNull()
      .references(() => chatSessions.id, { onDelete: 'cascade' }),
    chat_id: uuid().notNull(),
    /**
     * Parent in the conversation's tree: of an answer its question, of a question the answer before it (where answers stand side by
     * side the question before it), or the session.
     */
    parent_id: uuid().notNull(),
    /**
     * Which of several answers side by side it is a version of: the model that was asked. Empty where only one model was
     * asked, and of questions.
     */
    lane: text().notNull().default(''),
    /** Of the versions that share parent and lane, the one that is shown. */
    chosen: boolean().notNull().default(true),
    role: text({ enum: ['human', 'ai', 'system'] }).notNull(),
    /** Without the output of a running run: that is in the stream log until the run's end. */
    text: text().notNull(),
    reasoning: text().notNull().default(''),
    reasoning_ms: integer(),
    content_type: text({ enum: ['text', 'audio'] }).notNull(),
    model: text().notNull(),
    chat_model: text().notNull(),
    stream: boolean().notNull(),
    status: text({ enum: messageStatuses }).notNull(),
    error_code: text(),
    run_id: uuid(),
    /** Why the upstream ended it, in OpenAI's words. */
    finish: text(),
    tools: jsonb().$type<string[]>().notNull(),
    /** The agent that answered, wherever its answer was copied to; null of every other assistant. */
    agent: uuid(),
    block: text(),
    /** What the assistant's preparation left with the answer. */
    search: jsonb().$type<ChatMessage['search']>(),
    quick_action: text(),
    /** Of a question of the channel `fanyi`: how its translation is to sound. */
    tone: text(),
    /** Whether its reader likes an answer. */
    liked: boolean().notNull().default(false),
    /** What its reader thinks of an answer. */
    feedback: jsonb().$type<Feedback>(),
    /** Of an answer that is being written: what was known before of its end. */
    known_end: text(),
    wants_related: boolean().notNull().default(false),
    related_prompts: jsonb().$type<string[]>().notNull().default([]),
    /** When they were last claimed for generating. */
    related_at: at(),
    /** Of its runs that were charged, together; `amount` in micro-coins. */
    platform: text(),
    first_text_ms: integer(),
    duration_ms: integer(),
    input_tokens: integer().notNull().default(0),
    output_tokens: integer().notNull().default(0),
    amount: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Set while it is hidden: another version of it, or of one of its ancestors, is chosen. */
    hidden_at: at(),
    created_at: at().notNull().defaultNow(),
  },
  (t) => [
    // The visible path, in order: a conversation is read from this index alone, whatever else is in its tree.
    index('chat_messages_path')
      .on(t.sess_id, t.chat_id, t.id)
      .where(sql`${t.hidden_at} IS NULL`),
    index('chat_messages_versions').on(t.sess_id, t.parent_id, t.id),
    index('chat_messages_turn').on(t.chat_id),
    index('chat_messages_run').on(t.run_id),
    // What readers thought of an agent's answers is counted from this index.
    index('chat_messages_feedback')
      .on(t.agent)
      .where(sql`${t.feedback} IS NOT NULL`),
  ],
)
