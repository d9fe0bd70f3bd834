import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { CODE_TRIES } from '#contract/auth/auth.ts'
import { users } from '#server/users/tables.ts'

const at = () => timestamp({ withTimezone: true })

/** Codes by e-mail and SMS, hashed. Those of a target, purpose and browser are tried together. */
export const loginCodes = pgTable(
  'login_codes',
  {
    id: uuid().primaryKey(),
    channel: text({ enum: ['email', 'phone'] }).notNull(),
    target: text().notNull(),
    /** To sign in, or to confirm an address of an account. */
    purpose: text({ enum: ['login', 'bind'] })
      .notNull()
      .default('login'),
    /** Hash of what the browser that asked is known by: tries of others are none at this code. */
    browser_hash: text().notNull().default(''),
    /** Keyed hash of target and code. */
    code_hash: text().notNull(),
    /** Keyed hash of the client's address that asked, to know the targets that are new to it. */
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

/** Signed-in browsers, guests, and visitors of agents' widgets. A token is kept only as its hash. */
export const authSessions = pgTable(
  'auth_sessions',
  {
    token_hash: text().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of a visitor of an agent's widget: the only chatbot that its token is good for, sent as a header. Null: a cookie's. */
    chatbot: text(),
    /** How the browser named itself when it signed in. */
    user_agent: text().notNull().default(''),
    created_at: at().notNull().defaultNow(),
    renewed_at: at().notNull().defaultNow(),
    expires_at: at().notNull(),
  },
  (t) => [index('auth_sessions_user').on(t.user_id), index('auth_sessions_expiry').on(t.expires_at)],
)

/** Solved challenges of the human check: each is good once. */
export const usedChallenges = pgTable('auth_used_challenges', {
  challenge: text().primaryKey(),
  expires_at: at().notNull(),
})

/** People whom we sent to WeChat: what comes back is good once, in the browser that left. */
export const wechatStates = pgTable('auth_wechat_states', {
  state_hash: text().primaryKey(),
  browser_hash: text().notNull(),
  /** Whose account WeChat is to be bound to; null: it signs in. */
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  redirect_to: text().notNull(),
  expires_at: at().notNull(),
})
