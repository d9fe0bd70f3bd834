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
import { users } from '#server/accounts/users/tables.ts'

const at = () => timestamp({ withTimezone: true })
const ownedByUser = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Folders for sessions that belong together. */
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
    /** Author of the title: only the words of the first question are replaced by a better one. */
    titled_by: text({ enum: ['question', 'model', 'person'] })
      .notNull()
      .default('question'),
    pinned: boolean().notNull().default(false),
    archived: boolean().notNull().default(false),
    /** A folder of the same user: callers that set it look the folder up by its owner. */
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

/** The session meant by calls without a sess_id, for each visitor and chatbot. */
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

/** The settings of a person's new sessions. */
export const chatDefaults = pgTable('chat_defaults', {
  user_id: ownedByUser().primaryKey(),
  settings: jsonb().$type<Partial<SessionSettings>>().notNull(),
})

/** Belongs to the owner of its session. A question and its answers share `chat_id`. */
export const chatMessages = pgTable(
  'chat_messages',
  {
    id: uuid().primaryKey(),
    sess_id: uuid()
      .notNull()
      .references(() => chatSessions.id, { onDelete: 'cascade' }),
    chat_id: uuid().notNull(),
    /**
     * Parent in the conversation's tree: an answer's question; a question's preceding answer (with answers side by side, the
     * preceding question); or the session.
     */
    parent_id: uuid().notNull(),
    /**
     * The model to which an answer side by side belongs, as one of its versions. Empty for questions, and if one model was asked.
     */
    lane: text().notNull().default(''),
    /** The version shown of those that share parent and lane. */
    chosen: boolean().notNull().default(true),
    role: text({ enum: ['human', 'ai', 'system'] }).notNull(),
    /** Without the output of a running run: the stream log has it until the run's end. */
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
    /** The upstream's reason for the end, in OpenAI's words. */
    finish: text(),
    tools: jsonb().$type<string[]>().notNull(),
    /** The agent that answered, also in copies; null for every other assistant. */
    agent: uuid(),
    block: text(),
    /** Note of the assistant's preparation on the answer. */
    search: jsonb().$type<ChatMessage['search']>(),
    quick_action: text(),
    /** Tone of the translation, for a question of the channel `fanyi`. */
    tone: text(),
    /** The reader likes the answer. */
    liked: boolean().notNull().default(false),
    /** The reader's opinion of the answer. */
    feedback: jsonb().$type<Feedback>(),
    /** The known end of an answer that is being written. */
    known_end: text(),
    wants_related: boolean().notNull().default(false),
    related_prompts: jsonb().$type<string[]>().notNull().default([]),
    /** Last claim for generating them. */
    related_at: at(),
    /** Figures of its charged runs together; `amount` in micro-coins. */
    platform: text(),
    first_text_ms: integer(),
    duration_ms: integer(),
    input_tokens: integer().notNull().default(0),
    output_tokens: integer().notNull().default(0),
    amount: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Set while hidden: another version of it, or of one of its ancestors, is chosen. */
    hidden_at: at(),
    created_at: at().notNull().defaultNow(),
  },
  (t) => [
    // The visible path, in order: a conversation is read from this index alone, whatever else its tree has.
    index('chat_messages_path')
      .on(t.sess_id, t.chat_id, t.id)
      .where(sql`${t.hidden_at} IS NULL`),
    index('chat_messages_versions').on(t.sess_id, t.parent_id, t.id),
    index('chat_messages_turn').on(t.chat_id),
    index('chat_messages_run').on(t.run_id),
    // For counting readers' opinions of an agent's answers.
    index('chat_messages_feedback')
      .on(t.agent)
      .where(sql`${t.feedback} IS NOT NULL`),
  ],
)
