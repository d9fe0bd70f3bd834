import {
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
import type { MessageSearch } from '#contract/web-search.ts'
import { chatMessages, chatSessions } from '#server/conversations/tables.ts'
import { users } from '#server/accounts/users/tables.ts'

const at = () => timestamp({ withTimezone: true }).notNull().defaultNow()

/** A link to messages of a session, for everybody who has it. Revoking deletes it. */
export const shares = pgTable(
  'shares',
  {
    /** 256 random bits: everybody who has them may read. */
    id: text().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sess_id: uuid()
      .notNull()
      .references(() => chatSessions.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    /** Hash of the messages: the same selection gets the same link. */
    digest: text().notNull(),
    created_at: at(),
  },
  (t) => [
    uniqueIndex('shares_same').on(t.user_id, t.sess_id, t.digest),
    index('shares_recent').on(t.user_id, t.created_at),
  ],
)

/** A share's messages, copied so that later messages and changes do not show. Deleting a message deletes its copies too. */
export const shareMessages = pgTable(
  'share_messages',
  {
    share_id: text()
      .notNull()
      .references(() => shares.id, { onDelete: 'cascade' }),
    nth: integer().notNull(),
    message_id: uuid()
      .notNull()
      .references(() => chatMessages.id, { onDelete: 'cascade' }),
    role: text({ enum: ['human', 'ai', 'system'] }).notNull(),
    text: text().notNull(),
    content_type: text({ enum: ['text', 'audio'] }).notNull(),
    chat_model: text().notNull(),
    agent: uuid(),
    search: jsonb().$type<MessageSearch>(),
    created_at: at(),
  },
  (t) => [primaryKey({ columns: [t.share_id, t.nth] }), index('share_messages_message').on(t.message_id)],
)
