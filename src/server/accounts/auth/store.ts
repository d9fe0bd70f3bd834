import { sql } from 'drizzle-orm'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import { createPreparedQuery } from '#server/core/database/prepared-query.ts'
import type { loginCodes } from './tables.ts'

export type CodeRequest = {
  id: string
  channel: typeof loginCodes.$inferSelect.channel
  target: string
  purpose: CodePurpose
  browser_hash: string
  code_hash: string
  client_hash: string
  ttl_s: number
}
export type CodePurpose = typeof loginCodes.$inferSelect.purpose
/** Tells whether a client has had a code sent to a target within a day. */
export async function hasCodeOf(tx: Db, target: string, clientHash: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 FROM login_codes
    WHERE client_hash = ${clientHash} AND target = ${target} AND created_at > now() - interval '1 day' LIMIT 1`)
  return rows.length > 0
}

/** Saves a code. The newest `live` codes for its target, purpose and browser, with this one, stay valid; earlier ones expire. */
export async function insertCode(tx: Db, code: CodeRequest, live: number): Promise<void> {
  await tx.execute(sql`
    WITH ended AS (
      UPDATE login_codes SET expires_at = now() WHERE id IN (
        SELECT id FROM login_codes
        WHERE channel = ${code.channel} AND target = ${code.target} AND purpose = ${code.purpose}
          AND browser_hash = ${code.browser_hash} AND used_at IS NULL AND expires_at > now()
        ORDER BY created_at DESC, id DESC OFFSET ${live - 1})
    )
    INSERT INTO login_codes (id, channel, target, purpose, browser_hash, code_hash, client_hash, expires_at)
    VALUES (${code.id}, ${code.channel}, ${code.target}, ${code.purpose}, ${code.browser_hash}, ${code.code_hash},
      ${code.client_hash},
      now() + make_interval(secs => ${code.ttl_s}))`)
}

/** Deletes a code that could not be delivered, so that it does not count. */
export async function deleteCode(db: Db, id: string): Promise<void> {
  await db.execute(sql`DELETE FROM login_codes WHERE id = ${id}`)
}

/** Deletes all codes sent to an address. */
export async function deleteCodesOf(tx: Db, target: string): Promise<void> {
  await tx.execute(sql`DELETE FROM login_codes WHERE target = ${target}`)
}

/**
 * Tries a code against the valid ones that this browser requested for this target and purpose, whichever call it came by. One
 * statement counts the try for each, compares and consumes, so that a guess has no better chance than at the codes one by one.
 * `stale`: no code is valid; `spent`: the tries of all are used up.
 */
export async function tryCode(
  db: Db,
  {
    target,
    purpose,
    browser_hash,
    code_hash,
  }: Pick<CodeRequest, 'target' | 'purpose' | 'browser_hash' | 'code_hash'>,
  tries: number,
): Promise<'right' | 'wrong' | 'spent' | 'stale'> {
  const good = sql`target = ${target} AND purpose = ${purpose} AND browser_hash = ${browser_hash}
    AND used_at IS NULL AND expires_at > now()`
  const { rows } = await db.execute<{ right: boolean; tries: number }>(sql`
    WITH tried AS (
      SELECT id, code_hash = ${code_hash} AS right FROM login_codes
      WHERE ${good} AND tries < ${tries} ORDER BY id FOR UPDATE
    )
    UPDATE login_codes c
    SET tries = c.tries + 1, used_at = CASE WHEN (SELECT bool_or(tried.right) FROM tried) THEN now() END
    FROM tried WHERE c.id = tried.id
    RETURNING tried.right, c.tries`)
  if (rows.some(({ right }) => right)) return 'right'
  if (rows.length) return rows.some((row) => row.tries < tries) ? 'wrong' : 'spent'
  const remainingCodes = await db.execute(sql`SELECT 1 FROM login_codes WHERE ${good} LIMIT 1`)
  return remainingCodes.rows.length ? 'spent' : 'stale'
}

/** Saves a cookie's token, or with `chatbot` the token of a widget's visitor. */
export async function insertAuthSession(
  tx: Db,
  tokenHash: string,
  userId: string,
  days: number,
  { chatbot = null, user_agent = '' }: { chatbot?: string | null; user_agent?: string } = {},
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO auth_sessions (token_hash, user_id, chatbot, user_agent, expires_at)
    VALUES (${tokenHash}, ${userId}, ${chatbot}, ${user_agent}, now() + make_interval(days => ${days}))`)
}

export async function deleteAuthSession(tx: Db, tokenHash: string): Promise<void> {
  await tx.execute(sql`DELETE FROM auth_sessions WHERE token_hash = ${tokenHash}`)
}

export type AuthSessionRow = { id: string; user_agent: string; created_at: string; seen_at: string }

/** Lists the browsers in which a user is signed in, the last used first. Times in ISO 8601. */
export async function listAuthSessions(db: Db, userId: string): Promise<AuthSessionRow[]> {
  const { rows } = await db.execute<AuthSessionRow>(sql`
    SELECT token_hash AS id, user_agent, ${momentSql(sql`created_at`)} AS created_at,
      ${momentSql(sql`renewed_at`)} AS seen_at
    FROM auth_sessions WHERE user_id = ${userId} AND chatbot IS NULL AND expires_at > now()
    ORDER BY renewed_at DESC, created_at DESC, token_hash`)
  return rows
}

/** Signs a user out of one browser; returns false if the user is not signed in there. */
export async function deleteOwnAuthSession(db: Db, userId: string, tokenHash: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    DELETE FROM auth_sessions WHERE token_hash = ${tokenHash} AND user_id = ${userId} RETURNING user_id`)
  return rows.length > 0
}

/** Returns those of the token hashes that are still signed in. */
export async function listLiveSessions(db: Db, tokenHashes: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ token_hash: string }>(sql`
    SELECT token_hash FROM auth_sessions
    WHERE expires_at > now() AND token_hash IN (
      SELECT asked.hash FROM json_array_elements_text(${JSON.stringify(tokenHashes)}::json) AS asked(hash))`)
  return new Set(rows.map(({ token_hash }) => token_hash))
}

export type AuthSession = {
  user_id: string
  account_id: string
  budgets: string[]
  guest: boolean
  stale: boolean
}

const getAuthSessionQuery = createPreparedQuery((db) =>
  db
    .select({
      user_id: sql<string>`s.user_id`,
      account_id: sql<string>`coalesce(paying.id, own.id)`,
      budget: sql<string | null>`m.id`,
      guest: sql<boolean>`u.guest`,
      stale: sql<boolean>`s.renewed_at < now() - interval '1 day'`,
    })
    .from(
      sql`auth_sessions s JOIN users u ON u.id = s.user_id
        JOIN ledger_accounts own ON own.user_id = u.id LEFT JOIN organization_members m ON m.user_id = u.id AND m.pays
        LEFT JOIN ledger_accounts paying ON paying.organization_id = m.organization_id`,
    )
    .where(
      sql`s.token_hash = ${sql.placeholder('token_hash')} AND s.expires_at > now()
        AND s.chatbot IS NOT DISTINCT FROM ${sql.placeholder('chatbot')}`,
    )
    .prepare('auth_session'),
)

/**
 * Finds the owner of a cookie's token, or with `chatbot` of a widget visitor's: neither is valid for the other. `stale` if the
 * session was last renewed over a day ago. Members who chose so pay by the organization, within their budget.
 */
export async function findAuthSession(
  db: Db,
  tokenHash: string,
  chatbot: string | null = null,
): Promise<AuthSession | undefined> {
  const [row] = await getAuthSessionQuery(db).execute({ token_hash: tokenHash, chatbot })
  if (!row) return undefined
  const { budget, ...session } = row
  return { ...session, budgets: budget === null ? [] : [budget] }
}

export async function renewAuthSession(db: Db, tokenHash: string, days: number): Promise<void> {
  await db.execute(sql`
    UPDATE auth_sessions SET renewed_at = now(), expires_at = now() + make_interval(days => ${days})
    WHERE token_hash = ${tokenHash}`)
}

/** Deletes codes older than a day, and expired sessions, challenges and visits to WeChat. */
export async function sweepAuth(db: Db): Promise<void> {
  await db.execute(sql`DELETE FROM login_codes WHERE created_at < now() - interval '1 day'`)
  await db.execute(sql`DELETE FROM auth_sessions WHERE expires_at < now()`)
  await db.execute(sql`DELETE FROM auth_used_challenges WHERE expires_at < now()`)
  await db.execute(sql`DELETE FROM auth_wechat_states WHERE expires_at < now()`)
}

/** Guests deleted at a time. */
const MAX_SWEPT_GUESTS = 1_000

/**
 * Deletes guests without a valid cookie, since it expired or they signed in, and guests who asked nothing and stayed away for two
 * days, with all of their data. Their ledger accounts stay: the ledger forgets nothing.
 */
export async function sweepGuests(db: Db): Promise<void> {
  await db.execute(sql`
    DELETE FROM users WHERE id IN (
      SELECT g.id FROM users g
      WHERE g.guest AND g.created_at < now() - interval '1 day' AND NOT EXISTS (
        SELECT 1 FROM auth_sessions s WHERE s.user_id = g.id AND (s.renewed_at > now() - interval '2 days' OR EXISTS (
          SELECT 1 FROM chat_sessions c JOIN chat_messages m ON m.sess_id = c.id WHERE c.user_id = g.id)))
      LIMIT ${MAX_SWEPT_GUESTS})`)
}

/** Records the use of a solved challenge; returns false if it was used before. `expires_s`: Unix time, seconds. */
export async function consumeChallenge(db: Db, challenge: string, expiresS: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    INSERT INTO auth_used_challenges (challenge, expires_at) VALUES (${challenge}, to_timestamp(${expiresS}))
    ON CONFLICT DO NOTHING RETURNING challenge`)
  return rows.length > 0
}

/** A visit to WeChat: the account to bind it to, or null, and the path to go on to. */
export type WechatVisit = { user_id: string | null; redirect_to: string }

export async function insertWechatState(
  db: Db,
  {
    state_hash,
    browser_hash,
    ttl_s,
    ...visit
  }: WechatVisit & {
    state_hash: string
    browser_hash: string
    ttl_s: number
  },
): Promise<void> {
  await db.execute(sql`
    INSERT INTO auth_wechat_states (state_hash, browser_hash, user_id, redirect_to, expires_at)
    VALUES (${state_hash}, ${browser_hash}, ${visit.user_id}, ${visit.redirect_to},
      now() + make_interval(secs => ${ttl_s}))`)
}

/** Consumes a state, whoever brings it; returns undefined if it belongs to another browser or is too old. */
export async function takeWechatState(
  db: Db,
  stateHash: string,
  browserHash: string,
): Promise<WechatVisit | undefined> {
  const { rows } = await db.execute<WechatVisit & { valid: boolean }>(sql`
    DELETE FROM auth_wechat_states WHERE state_hash = ${stateHash}
    RETURNING user_id, redirect_to, browser_hash = ${browserHash} AND expires_at > now() AS valid`)
  return rows[0]?.valid ? rows[0] : undefined
}
