import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

// Charges of a user, exact whatever the number of runs: sums by day for runs before a watermark, the runs themselves after it. A
// call that charges writes nothing here; reading rolls up (docs/decisions/0044-charges-are-rolled-up-by-who-reads-them.md).

/** An account whose charges are read. They are rolled up at least to `until`, a moment as the database writes it. */
export type RolledUp = { account_id: string; until: string }

/** The day in China of a moment. */
export const toDaySql = (at: SQL): SQL => sql`(${at} AT TIME ZONE 'Asia/Shanghai')::date`

/** The channel that a charge comes from, told by the budgets `of` that it was paid within. */
export const channelSql = (
  of: SQL,
): SQL => sql`coalesce((SELECT CASE min(b.kind) WHEN 'key' THEN 'api' WHEN 'widget' THEN 'widget' END
  FROM ledger_budgets b WHERE b.id = ANY (${of}) AND b.kind IN ('key', 'widget')), 'web')`

/**
 * The charges of an account, as `c`: a row stands for one run, or for many that are summed. Must be in one statement with
 * whatever is computed from them, so that watermark, sums and runs are of the same moment. `until`, the watermark read before, is
 * for the planner, which cannot know the watermark within the statement; a watermark only moves forward.
 */
export const chargesSql = ({ account_id, until }: RolledUp): SQL => sql`(
  SELECT d.day, d.kind, d.model, d.platform, d.channel, d.budgets, d.requests, d.amount, d.input_tokens, d.output_tokens
  FROM charge_rollups d WHERE d.account_id = ${account_id}
  UNION ALL
  SELECT ${toDaySql(sql`r.started_at`)}, r.kind, r.model, r.platform, ${channelSql(sql`r.budgets`)}, r.budgets, 1::bigint,
    r.amount, r.input_tokens::bigint, r.output_tokens::bigint
  FROM runs r WHERE r.account_id = ${account_id} AND r.usage_source IS NOT NULL
    AND r.started_at >= ${until}::timestamptz
    AND r.started_at >= coalesce((SELECT w.until FROM charge_watermarks w WHERE w.account_id = ${account_id}), '-infinity')
  ) AS c`

/** The account of a user, rolled up if its watermark is over an hour old; null for a user without one. */
export async function findRolledUp(db: Db, userId: string): Promise<RolledUp | null> {
  const { rows } = await db.execute<RolledUp & { due: boolean }>(sql`
    SELECT a.id AS account_id, coalesce(w.until, '-infinity')::text AS until,
      coalesce(w.until, '-infinity') < now() - interval '1 hour' AS due
    FROM ledger_accounts a LEFT JOIN charge_watermarks w ON w.account_id = a.id WHERE a.user_id = ${userId}`)
  if (!rows[0]) return null
  const { account_id, until, due } = rows[0]
  return {
    account_id,
    until: due ? await db.transaction((tx) => rollUpCharges(tx, account_id, until)) : until,
  }
}

/**
 * Adds runs that can no longer change to the sums, moves the watermark and returns it. Those are the runs that began before every
 * run under way, and before every transaction that may still create one: a run begins when its transaction did.
 */
async function rollUpCharges(tx: Db, accountId: string, lastUntil: string): Promise<string> {
  await tx.execute(
    sql`INSERT INTO charge_watermarks (account_id, until) VALUES (${accountId}, '-infinity') ON CONFLICT DO NOTHING`,
  )
  const { rows } = await tx.execute<{ until: string }>(sql`
    SELECT until::text FROM charge_watermarks WHERE account_id = ${accountId} FOR UPDATE SKIP LOCKED`)
  // Another transaction is rolling them up.
  if (!rows[0]) return lastUntil
  const { until } = rows[0]
  // A statement by itself: the next one sees every run of a transaction that this one does not find.
  const { rows: open } = await tx.execute<{ since: string }>(sql`
    SELECT (least(now(), min(xact_start)) - interval '1 minute')::text AS since FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`)
  const { rows: next } = await tx.execute<{ until: string; moved: boolean }>(sql`
    WITH running AS MATERIALIZED (SELECT account_id, started_at FROM runs WHERE state = 'running'),
      next AS (SELECT least(${open[0]!.since}::timestamptz, min(started_at)) AS until FROM running
        WHERE account_id = ${accountId})
    SELECT until::text, until > ${until}::timestamptz AS moved FROM next`)
  if (!next[0]!.moved) return until
  const moved = next[0]!.until
  await tx.execute(sql`
    INSERT INTO charge_rollups (account_id, day, kind, model, platform, channel, budgets, requests, amount, input_tokens,
      output_tokens)
    SELECT ${accountId}::uuid, s.day, s.kind, s.model, s.platform, ${channelSql(sql`s.budgets`)}, s.budgets, s.requests, s.amount,
      s.input_tokens, s.output_tokens
    FROM (SELECT ${toDaySql(sql`r.started_at`)} AS day, r.kind, r.model, r.platform, r.budgets, count(*) AS requests,
        sum(r.amount) AS amount, sum(r.input_tokens) AS input_tokens, sum(r.output_tokens) AS output_tokens
      FROM runs r WHERE r.account_id = ${accountId} AND r.usage_source IS NOT NULL
        AND r.started_at >= ${until}::timestamptz AND r.started_at < ${moved}::timestamptz
      GROUP BY 1, 2, 3, 4, 5) s
    ON CONFLICT (account_id, day, kind, model, platform, channel, budgets) DO UPDATE SET
      requests = charge_rollups.requests + excluded.requests, amount = charge_rollups.amount + excluded.amount,
      input_tokens = charge_rollups.input_tokens + excluded.input_tokens,
      output_tokens = charge_rollups.output_tokens + excluded.output_tokens`)
  await tx.execute(
    sql`UPDATE charge_watermarks SET until = ${moved}::timestamptz WHERE account_id = ${accountId}`,
  )
  return moved
}
