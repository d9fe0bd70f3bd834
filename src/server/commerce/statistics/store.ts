import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Transaction, TransactionFilter } from '#contract/statistics/statistics.ts'
import type { Db } from '#server/core/database/database.ts'
import type { StoredPrices } from '#server/core/prices.ts'
import { channelSql, chargesSql, toDaySql } from './rollups/store.ts'
import type { RolledUp } from './rollups/store.ts'

/** Days in China, from the first up to the last, both included. */
export type Period = { from: string; to: string } | null
export type TransactionQuery = Omit<TransactionFilter, 'timeRange'> & { user_id: string; period: Period }

type Action = Transaction['action']
export type TransactionRow = {
  id: string
  action: Action
  source: string | null
  channel: Transaction['channel']
  model: string | null
  platform: string | null
  /** Micro-coins, with its sign. */
  amount: string
  input_tokens: number
  output_tokens: number
  /** Milliseconds since 1970. */
  at: string
}

const toMilliseconds = (at: SQL): SQL => sql`round(extract(epoch FROM ${at}) * 1000)::text`
const CHANNEL = channelSql(sql`r.budgets`)
const DAY_OF_TRANSFER = toDaySql(sql`t.created_at`)

const all = (conditions: (SQL | null)[]): SQL =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` AND `)

/** The conditions of a filter on charges; `from` names the runs or the rows of `chargesSql`. */
const filterCharges = ({ source, model, keyId }: TransactionQuery, from: SQL): SQL =>
  all([
    source === undefined ? null : sql`${from}.kind = ${source}`,
    model === undefined ? null : sql`${from}.model = ${model}`,
    keyId === undefined ? null : sql`${keyId}::uuid = ANY (${from}.budgets)`,
  ])

const ofAccount = (accountId: string): SQL =>
  sql`(t.credit_account_id = ${accountId} OR t.debit_account_id = ${accountId})`
const filterTransfers = ({ action }: TransactionQuery, accountId: string): SQL =>
  all([ofAccount(accountId), action === undefined ? null : sql`t.kind = ${action}`])

/** Tells whether a filter admits charges. Only charges have a source, a channel, a model and a key. */
const hasCharges = ({ action }: TransactionQuery): boolean => action === undefined || action === 'charge'
const hasTransfers = ({ action, source, channel, model, keyId }: TransactionQuery): boolean =>
  action !== 'charge' && [source, channel, model, keyId].every((value) => value === undefined)

const signedSql = (accountId: string | SQL): SQL =>
  sql`CASE WHEN t.credit_account_id = ${accountId} THEN t.amount ELSE -t.amount END`

/** Totals of a day over the transactions that match a query; micro-coins. A charge counts on the day on which its run began. */
export type DayTotals = {
  day: string
  total: number
  total_in: bigint
  total_out: bigint
  total_tokens: number
}

/** The totals of every day with transactions, newest first. */
export async function sumTransactions(
  db: Db,
  query: TransactionQuery,
  rolled: RolledUp,
): Promise<DayTotals[]> {
  const { period, channel } = query
  const { account_id } = rolled
  const within = (day: SQL): SQL =>
    period ? sql`${day} BETWEEN ${period.from}::date AND ${period.to}::date` : sql`true`
  const { rows } = await db.execute<Record<keyof DayTotals, string>>(sql`
    SELECT day::text, sum(total)::text AS total, sum(total_in)::text AS total_in, sum(total_out)::text AS total_out,
      sum(total_tokens)::text AS total_tokens
    FROM (SELECT c.day, sum(c.requests) AS total, 0 AS total_in, sum(c.amount) AS total_out,
        sum(c.input_tokens + c.output_tokens) AS total_tokens
        FROM ${chargesSql(rolled)} WHERE ${hasCharges(query)} AND ${within(sql`c.day`)}
          AND ${channel === undefined ? sql`true` : sql`c.channel = ${channel}`} AND ${filterCharges(query, sql`c`)}
        GROUP BY c.day
      UNION ALL
      SELECT ${DAY_OF_TRANSFER}, 1, CASE WHEN t.credit_account_id = ${account_id} THEN t.amount ELSE 0 END,
        CASE WHEN t.debit_account_id = ${account_id} THEN t.amount ELSE 0 END, 0
        FROM ledger_transfers t
        WHERE ${hasTransfers(query)} AND ${within(DAY_OF_TRANSFER)} AND ${filterTransfers(query, account_id)}
    ) AS moves GROUP BY day ORDER BY day DESC`)
  return rows.map(({ day, total, total_in, total_out, total_tokens }) => ({
    day,
    total: Number(total),
    total_in: BigInt(total_in),
    total_out: BigInt(total_out),
    total_tokens: Number(total_tokens),
  }))
}

/** The transactions of the days, newest first, after the first `skip`. Reads at most `skip + limit` charges of each day. */
export async function listTransactions(
  db: Db,
  query: TransactionQuery,
  { account_id, days, skip, limit }: { account_id: string; days: string[]; skip: number; limit: number },
): Promise<TransactionRow[]> {
  const { channel } = query
  const parts = [
    ...(hasCharges(query)
      ? [
          sql`(SELECT charge.* FROM unnest(${sql.param(days)}::date[]) AS day CROSS JOIN LATERAL (
            SELECT r.id, 'charge' AS action, r.kind AS source, r.model, r.platform, -r.amount AS amount,
              r.input_tokens, r.output_tokens, r.started_at AS at, ${CHANNEL} AS channel
            FROM runs r WHERE r.account_id = ${account_id} AND r.usage_source IS NOT NULL
              AND r.started_at >= day::timestamp AT TIME ZONE 'Asia/Shanghai'
              AND r.started_at < (day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'
              AND ${channel === undefined ? sql`true` : sql`${CHANNEL} = ${channel}`} AND ${filterCharges(query, sql`r`)}
            ORDER BY r.started_at DESC, r.id DESC LIMIT ${skip + limit}) AS charge)`,
        ]
      : []),
    ...(hasTransfers(query)
      ? [
          sql`(SELECT t.id, t.kind, NULL, NULL, NULL, ${signedSql(account_id)}, 0, 0, t.created_at, NULL
            FROM ledger_transfers t
            WHERE ${DAY_OF_TRANSFER} = ANY (${sql.param(days)}::date[]) AND ${filterTransfers(query, account_id)})`,
        ]
      : []),
  ]
  if (!parts.length || !days.length) return []
  const { rows } = await db.execute<TransactionRow>(sql`
    SELECT id, action, source, channel, model, platform, amount::text, input_tokens, output_tokens,
      ${toMilliseconds(sql`at`)} AS at
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS lines(id, action, source, model, platform, amount, input_tokens,
      output_tokens, at, channel)
    ORDER BY lines.at DESC, id DESC LIMIT ${limit} OFFSET ${skip}`)
  return rows
}

export type BillRow = {
  prices: StoredPrices
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
  units: number
  times: number
  details: Record<string, unknown> | null
  usage_source: 'upstream' | 'counted'
  computed: string
  gift: string
  attempts: { platform: string; code?: string | null }[]
  duration_ms: number
}

/** A transaction of a user's, with its bill where it is a charge. */
export async function findTransaction(
  db: Db,
  userId: string,
  id: string,
): Promise<(TransactionRow & { bill: BillRow | null }) | undefined> {
  const account = sql`(SELECT id FROM ledger_accounts WHERE user_id = ${userId})`
  const charges = await db.execute<TransactionRow & { bill: BillRow }>(sql`
    SELECT r.id, 'charge' AS action, r.kind AS source, ${CHANNEL} AS channel, r.model, r.platform,
      (-r.amount)::text AS amount, r.input_tokens, r.output_tokens, ${toMilliseconds(sql`r.started_at`)} AS at,
      json_build_object('prices', r.prices, 'cached_tokens', r.cached_tokens, 'cache_write_tokens',
        r.cache_write_tokens, 'reasoning_tokens', r.reasoning_tokens, 'units', r.units, 'times', r.times, 'details',
        r.details, 'usage_source', r.usage_source, 'computed', r.computed::text, 'gift', r.gift::text, 'attempts', r.attempts, 'duration_ms',
        round(extract(epoch FROM r.ended_at - r.started_at) * 1000)) AS bill
    FROM runs r WHERE r.id = ${id} AND r.account_id = ${account} AND r.usage_source IS NOT NULL`)
  if (charges.rows[0]) return charges.rows[0]
  const { rows } = await db.execute<TransactionRow>(sql`
    SELECT t.id, t.kind AS action, NULL AS source, NULL AS channel, NULL AS model, NULL AS platform,
      (${signedSql(account)})::text AS amount, 0 AS input_tokens, 0 AS output_tokens,
      ${toMilliseconds(sql`t.created_at`)} AS at
    FROM ledger_transfers t
    WHERE t.id = ${id} AND (t.credit_account_id = ${account} OR t.debit_account_id = ${account})`)
  return rows[0] && { ...rows[0], bill: null }
}

/** Micro-coins. `day` as in 2026-11-21. */
export type DayRow = {
  day: string
  model: string
  requests: number
  amount: bigint
  input_tokens: number
  output_tokens: number
}

/** Sums the charges from a day on by model and by the day in China on which the run began. */
export async function listDays(db: Db, rolled: RolledUp, since: string): Promise<DayRow[]> {
  const { rows } = await db.execute<Record<keyof DayRow, string>>(sql`
    SELECT c.day::text, c.model, sum(c.requests)::text AS requests, sum(c.amount)::text AS amount,
      sum(c.input_tokens)::text AS input_tokens, sum(c.output_tokens)::text AS output_tokens
    FROM ${chargesSql(rolled)} WHERE c.day >= ${since}::date GROUP BY c.day, c.model`)
  return rows.map(({ day, model, requests, amount, input_tokens, output_tokens }) => ({
    day,
    model,
    requests: Number(requests),
    amount: BigInt(amount),
    input_tokens: Number(input_tokens),
    output_tokens: Number(output_tokens),
  }))
}

/** Sums the charges at a platform, or at all of them (null): from the day `since` on (`week`), and in all; micro-coins. */
export async function sumPlatform(
  db: Db,
  rolled: RolledUp,
  { platform, since }: { platform: string | null; since: string },
): Promise<{ week: bigint; total: bigint }> {
  const { rows } = await db.execute<{ week: string; total: string }>(sql`
    SELECT coalesce(sum(c.amount) FILTER (WHERE c.day >= ${since}::date), 0)::text AS week,
      coalesce(sum(c.amount), 0)::text AS total
    FROM ${chargesSql(rolled)} WHERE ${platform === null ? sql`true` : sql`c.platform = ${platform}`}`)
  return { week: BigInt(rows[0]!.week), total: BigInt(rows[0]!.total) }
}
