import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Transaction, TransactionFilter } from '#contract/statistics/statistics.ts'
import type { Db } from '#server/core/database/database.ts'
import type { StoredPrices } from '#server/core/prices.ts'

/** Moments of a day in China: from its beginning, and up to the beginning of the next one. */
export type Period = { from: Date; to: Date } | null
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
const ACCOUNT = (user_id: string): SQL => sql`(SELECT id FROM ledger_accounts WHERE user_id = ${user_id})`
const CHANNEL = sql`coalesce((SELECT CASE min(b.kind) WHEN 'key' THEN 'api' WHEN 'widget' THEN 'widget' END
  FROM ledger_budgets b WHERE b.id = ANY (r.budgets) AND b.kind IN ('key', 'widget')), 'web')`

const all = (conditions: (SQL | null)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== null),
    sql` AND `,
  )

/** A charge is a run that was billed; it counts when it began. */
function chargesSql({ user_id, source, channel, model, keyId, period }: TransactionQuery): SQL {
  return all([
    sql`r.account_id = ${ACCOUNT(user_id)} AND r.usage_source IS NOT NULL`,
    source === undefined ? null : sql`r.kind = ${source}`,
    model === undefined ? null : sql`r.model = ${model}`,
    keyId === undefined ? null : sql`${keyId}::uuid = ANY (r.budgets)`,
    channel === undefined ? null : sql`${CHANNEL} = ${channel}`,
    period && sql`r.started_at >= ${period.from.toISOString()} AND r.started_at < ${period.to.toISOString()}`,
  ])
}

function transfersSql({ user_id, action, period }: TransactionQuery): SQL {
  const account = ACCOUNT(user_id)
  return all([
    sql`(t.credit_account_id = ${account} OR t.debit_account_id = ${account})`,
    action === undefined ? null : sql`t.kind = ${action}`,
    period && sql`t.created_at >= ${period.from.toISOString()} AND t.created_at < ${period.to.toISOString()}`,
  ])
}

/** What a filter leaves: of runs alone have a source, a channel, a model and a key. */
const hasCharges = ({ action }: TransactionQuery): boolean => action === undefined || action === 'charge'
const hasTransfers = ({ action, source, channel, model, keyId }: TransactionQuery): boolean =>
  action !== 'charge' && [source, channel, model, keyId].every((value) => value === undefined)

const signedSql = (user_id: string): SQL =>
  sql`CASE WHEN t.credit_account_id = ${ACCOUNT(user_id)} THEN t.amount ELSE -t.amount END`

/** Newest first. Of each kind no more rows are read than the page can show. */
export async function listTransactions(
  db: Db,
  query: TransactionQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<TransactionRow[]> {
  const parts = [
    ...(hasCharges(query)
      ? [
          sql`(SELECT r.id, 'charge' AS action, r.kind AS source, r.model, r.platform, -r.amount AS amount,
            r.input_tokens, r.output_tokens, r.started_at AS at, ${CHANNEL} AS channel
            FROM runs r WHERE ${chargesSql(query)} ORDER BY r.started_at DESC, r.id DESC LIMIT ${limit + offset})`,
        ]
      : []),
    ...(hasTransfers(query)
      ? [
          sql`(SELECT t.id, t.kind, NULL, NULL, NULL, ${signedSql(query.user_id)}, 0, 0, t.created_at, NULL
            FROM ledger_transfers t WHERE ${transfersSql(query)} ORDER BY t.created_at DESC, t.id DESC
            LIMIT ${limit + offset})`,
        ]
      : []),
  ]
  if (!parts.length) return []
  const { rows } = await db.execute<TransactionRow>(sql`
    SELECT id, action, source, channel, model, platform, amount::text, input_tokens, output_tokens,
      ${toMilliseconds(sql`at`)} AS at
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS lines(id, action, source, model, platform, amount, input_tokens,
      output_tokens, at, channel)
    ORDER BY lines.at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`)
  return rows
}

export type Totals = { total: number; total_in: bigint; total_out: bigint; total_tokens: number }

/** Of all transactions that a query leaves; micro-coins. */
export async function sumTransactions(db: Db, query: TransactionQuery): Promise<Totals> {
  const { rows } = await db.execute<Record<keyof Totals, string>>(sql`
    SELECT (c.total + t.total)::text AS total, t.total_in::text, (c.total_out + t.total_out)::text AS total_out,
      c.total_tokens::text
    FROM (SELECT count(*) AS total, coalesce(sum(r.amount), 0) AS total_out,
        coalesce(sum(r.input_tokens::bigint + r.output_tokens), 0) AS total_tokens
        FROM runs r WHERE ${hasCharges(query)} AND ${chargesSql(query)}) c,
      (SELECT count(*) AS total, coalesce(sum(t.amount) FILTER (WHERE t.credit_account_id = ${ACCOUNT(query.user_id)}), 0) AS total_in,
        coalesce(sum(t.amount) FILTER (WHERE t.debit_account_id = ${ACCOUNT(query.user_id)}), 0) AS total_out
        FROM ledger_transfers t WHERE ${hasTransfers(query)} AND ${transfersSql(query)}) t`)
  const { total, total_in, total_out, total_tokens } = rows[0]!
  return {
    total: Number(total),
    total_in: BigInt(total_in),
    total_out: BigInt(total_out),
    total_tokens: Number(total_tokens),
  }
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
  attempts: { platform: string; code?: string | null }[]
  duration_ms: number
}

/** A transaction of a user's, with its bill where it is a charge. */
export async function findTransaction(
  db: Db,
  user_id: string,
  id: string,
): Promise<(TransactionRow & { bill: BillRow | null }) | undefined> {
  const account = ACCOUNT(user_id)
  const charges = await db.execute<TransactionRow & { bill: BillRow }>(sql`
    SELECT r.id, 'charge' AS action, r.kind AS source, ${CHANNEL} AS channel, r.model, r.platform,
      (-r.amount)::text AS amount, r.input_tokens, r.output_tokens, ${toMilliseconds(sql`r.started_at`)} AS at,
      json_build_object('prices', r.prices, 'cached_tokens', r.cached_tokens, 'cache_write_tokens',
        r.cache_write_tokens, 'reasoning_tokens', r.reasoning_tokens, 'units', r.units, 'times', r.times, 'details',
        r.details, 'usage_source', r.usage_source, 'computed', r.computed::text, 'attempts', r.attempts, 'duration_ms',
        round(extract(epoch FROM r.ended_at - r.started_at) * 1000)) AS bill
    FROM runs r WHERE r.id = ${id} AND r.account_id = ${account} AND r.usage_source IS NOT NULL`)
  if (charges.rows[0]) return charges.rows[0]
  const { rows } = await db.execute<TransactionRow>(sql`
    SELECT t.id, t.kind AS action, NULL AS source, NULL AS channel, NULL AS model, NULL AS platform,
      (${signedSql(user_id)})::text AS amount, 0 AS input_tokens, 0 AS output_tokens,
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

/** What was billed since a moment, by the day in China on which it began, and by model. */
export async function listDays(db: Db, user_id: string, since: Date): Promise<DayRow[]> {
  const { rows } = await db.execute<Record<keyof DayRow, string>>(sql`
    SELECT to_char(r.started_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, r.model, count(*)::text AS requests,
      sum(r.amount)::text AS amount, sum(r.input_tokens::bigint)::text AS input_tokens,
      sum(r.output_tokens::bigint)::text AS output_tokens
    FROM runs r WHERE r.account_id = ${ACCOUNT(user_id)} AND r.usage_source IS NOT NULL
      AND r.started_at >= ${since.toISOString()}
    GROUP BY 1, 2`)
  return rows.map(({ day, model, requests, amount, input_tokens, output_tokens }) => ({
    day,
    model,
    requests: Number(requests),
    amount: BigInt(amount),
    input_tokens: Number(input_tokens),
    output_tokens: Number(output_tokens),
  }))
}

/** What was charged at a platform, or at all of them, since a moment and in all; micro-coins. */
export async function sumPlatform(
  db: Db,
  user_id: string,
  { platform, since }: { platform: string | null; since: Date },
): Promise<{ week: bigint; total: bigint }> {
  const { rows } = await db.execute<{ week: string; total: string }>(sql`
    SELECT coalesce(sum(r.amount) FILTER (WHERE r.started_at >= ${since.toISOString()}), 0)::text AS week,
      coalesce(sum(r.amount), 0)::text AS total
    FROM runs r WHERE r.account_id = ${ACCOUNT(user_id)} AND r.usage_source IS NOT NULL
      AND ${platform === null ? sql`true` : sql`r.platform = ${platform}`}`)
  return { week: BigInt(rows[0]!.week), total: BigInt(rows[0]!.total) }
}
