import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { CODE_TRIES } from '#contract/auth/auth.ts'
import { users } from '#server/accounts/users/tables.ts'

const at = () => timestamp({ withTimezone: true })

/** Codes by e-mail and SMS, hashed. All codes of a target, purpose and browser are tried together. */
export const loginCodes = pgTable(
  'login_codes',
  {
    id: uuid().primaryKey(),
    channel: text({ enum: ['email', 'phone'] }).notNull(),
    target: text().notNull(),
    /** The code signs in, or confirms an address of an account. */
    purpose: text({ enum: ['login', 'bind'] })
      .notNull()
      .default('login'),
    /** Hash of the requesting browser's token; other browsers cannot try this code. */
    browser_hash: text().notNull().default(''),
    /** Keyed hash of target and code. */
    code_hash: text().notNull(),
    /** Keyed hash of the requesting client's address, to recognise targets new to it. */
    client_hash: text().notNull(),
    tries: integer().notNull().default(0),
    created_at: at().notNull().defaultNow(),
    expires_at: at().notNull(),
    used_at: at(),
  },
  (t) => [
    index('login_codes_target').on(t.channel, t.target, t.created_at),
    index('login_codes_client').on(t.client_hash, t.created_at),
    check('login_codes_tries', sql`${t.tries} BETWEEN 0 AND ${sql.raw(String(CODE_TRIES))}`),
  ],
)

/** Signed-in browsers, guests, and visitors of agents' widgets. Tokens are stored only as hashes. */
export const authSessions = pgTable(
  'auth_sessions',
  {
    token_hash: text().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The only chatbot that a widget visitor's token, sent as a header, is valid for. Null: a cookie's token. */
    chatbot: text(),
    /** The browser's user agent at sign-in. */
    user_agent: text().notNull().default(''),
    created_at: at().notNull().defaultNow(),
    renewed_at: at().notNull().defaultNow(),
    expires_at: at().notNull(),
  },
  (t) => [index('auth_sessions_user').on(t.user_id), index('auth_sessions_expiry').on(t.expires_at)],
)

/** Solved challenges of the human check, each valid once. */
export const usedChallenges = pgTable('auth_used_challenges', {
  challenge: text().primaryKey(),
  expires_at: at().notNull(),
})

/** Visits to WeChat. Each state is valid once, in the browser that left. */
export const wechatStates = pgTable('auth_wechat_states', {
  state_hash: text().primaryKey(),
  browser_hash: text().notNull(),
  /** The account that WeChat is to be bound to; null: the visit signs in. */
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  redirect_to: text().notNull(),
  expires_at: at().notNull(),
})
