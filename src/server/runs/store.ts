import { eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AnswerRoute } from '#contract/chat.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '#server/core/database/database.ts'
import { createPreparedQuery } from '#server/core/database/prepared-query.ts'
import { toExactCoins } from '#server/core/coins.ts'
import { parsePrices, serializePrices } from '#server/core/prices.ts'
import type { Prices, StoredPrices } from '#server/core/prices.ts'
import { toHoldRequestRow } from '#server/ledger/ledger.ts'
import type { HoldRequest, HoldRow } from '#server/ledger/ledger.ts'
import { toSettlementRow } from './bill.ts'
import type { Settlement } from './bill.ts'
import type { Chunk, RunResult, RunText } from './result.ts'
import { runs } from './tables.ts'
import type { StoredPlan } from './tables.ts'

export type RunRow = {
  id: string
  /** The user who asked, and the account that pays. */
  user_id: string
  account_id: string
  /** A RunKind; a row that was read may hold any other. */
  kind: string
  subject_id: string
  model: string
  platform: string
  input_tokens: number
  prices: Prices
}

/** A run as queries return it. */
export type StoredRun = Omit<RunRow, 'prices'> & { prices: StoredPrices }

/** Throws where the prices cannot be read. */
export const parseRunRow = (row: StoredRun): RunRow => ({ ...row, prices: parsePrices(row.prices) })

const idColumn = sql<string>`id`

const getCreateQuery = createPreparedQuery((db) =>
  db
    .select({ id: idColumn, granted: sql<string | null>`granted`, short: sql<HoldRow['short']>`short` })
    .from(sql`run_create(${sql.placeholder('rows')}::json, ${sql.placeholder('host_id')}::uuid)`)
    .prepare('run_create'),
)
const getSettleQuery = createPreparedQuery((db) =>
  db
    .select({ id: idColumn, charged: sql<string>`charged` })
    .from(sql`run_settle(${sql.placeholder('rows')}::json)`)
    .prepare('run_settle'),
)

/** Holds the most that the runs may cost and records those that got it; returns the outcome of each hold, in any order. */
export async function insertHeldRuns(
  db: Db,
  { runs, host_id }: { runs: { row: RunRow; plan: StoredPlan; hold: HoldRequest }[]; host_id: string },
): Promise<HoldRow[]> {
  const rowsIn = runs.map(({ row, plan, hold }) => ({
    ...row,
    ...toHoldRequestRow(hold),
    prices: serializePrices(row.prices),
    plan,
  }))
  return getCreateQuery(db).execute({ rows: JSON.stringify(rowsIn), host_id })
}

/** Lists the runs of a user that have not ended. */
export async function listRunningIds(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM runs WHERE user_id = ${userId} AND state = 'running'`)
  return rows.map(({ id }) => id)
}

/** Asks the other process that executes a run to stop it. */
export async function requestStop(db: Db, runId: string): Promise<void> {
  await db.execute(sql`UPDATE runs SET stop_asked = true WHERE id = ${runId} AND state = 'running'`)
}

/** Lists the runs of a process that others asked it to stop. */
export async function listAskedToStop(db: Db, hostId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM runs WHERE host_id = ${hostId} AND state = 'running' AND stop_asked`)
  return rows.map(({ id }) => id)
}

/** Stores the platform that is about to answer a running run, and its prices. */
export async function updatePlatform(db: Db, runId: string, platform: string, prices: Prices): Promise<void> {
  await db.execute(sql`
    UPDATE runs SET platform = ${platform}, prices = ${JSON.stringify(serializePrices(prices))}::jsonb WHERE id = ${runId}`)
}

/** Returns the route and the bill of a run; undefined for an unknown one. */
export async function findRoute(db: Db, runId: string): Promise<AnswerRoute | undefined> {
  const { rows } = await db.execute<StoredRoute>(sql`
    SELECT model, platform, plan, attempts, amount::text, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, usage_source, flagged IS NOT NULL AS flagged
    FROM runs WHERE id = ${runId}`)
  if (!rows[0]) return undefined
  const { model, platform, plan, attempts, amount: charged, usage_source, ...usage } = rows[0]
  const amount = toExactCoins(BigInt(charged))
  return {
    model,
    platform,
    ...plan,
    attempts: attempts.map(({ platform, state, code, reason, started_at, first_content_ms, ms }, nth) => ({
      platform,
      state,
      code,
      reason,
      started_at,
      first_content_ms,
      ms,
      cost: nth === attempts.length - 1 ? amount : 0,
    })),
    bill: usage_source && { amount, usage_source, ...usage },
  }
}

type StoredRoute = Pick<AnswerRoute, 'model' | 'platform'> &
  Omit<NonNullable<AnswerRoute['bill']>, 'amount' | 'usage_source'> &
  Pick<typeof runs.$inferSelect, 'plan' | 'attempts' | 'usage_source'> & { amount: string }

/** Ends and settles those of the runs that are still running. Returns the micro-coins charged for each of them. */
export async function settleRuns(
  db: Db,
  settlements: {
    settlement: Settlement
    result: Pick<RunResult, 'state' | 'code' | 'attempts'>
    first_text_at: Date | null
  }[],
): Promise<Map<string, bigint>> {
  const rowsIn = settlements.map(
    ({ settlement, result: { state, code, attempts }, first_text_at }): object => ({
      ...toSettlementRow(settlement),
      state,
      code,
      first_text_at,
      attempts,
    }),
  )
  const rows = await getSettleQuery(db).execute({ rows: JSON.stringify(rowsIn) })
  return new Map(rows.map(({ id, charged }) => [id, BigInt(charged)]))
}

/** Returns the micro-coins charged for a run that ended in this state; null if it did not. */
export async function findCharge(db: Db, runId: string, state: RunResult['state']): Promise<bigint | null> {
  const { rows } = await db.execute<{ amount: string }>(sql`
    SELECT amount::text FROM runs WHERE id = ${runId} AND state = ${state}`)
  return rows[0] ? BigInt(rows[0].amount) : null
}

/** Appends to the stream log. A chunk written twice (after a reply got lost) is stored once. */
export async function insertChunks(db: Db, chunks: Chunk[]): Promise<void> {
  await db.execute(sql`
    INSERT INTO run_chunks (run_id, seq, text, replace, reasoning, repeats)
    SELECT run_id, seq, text, replace, reasoning, repeats
    FROM json_to_recordset(${JSON.stringify(chunks)}::json)
      AS chunk(run_id uuid, seq bigint, text text, replace boolean, reasoning text, repeats boolean)
    ON CONFLICT DO NOTHING`)
}

/**
 * Reads the text and the reasoning of a run in its stream log; `replaced` tells that the text stands in place of an earlier one.
 * Chunks contained in one that `repeats` are skipped, since the chunks of a long run lie on as many pages of the table.
 */
export async function readStreamLog(db: Db, runId: string): Promise<RunText & { replaced: boolean }> {
  const { rows } = await db.execute<RunText & { replaced: boolean }>(sql`
    SELECT
      coalesce(string_agg(text, '' ORDER BY seq) FILTER (WHERE seq >= coalesce(text_start, 0)), '') AS text,
      coalesce(string_agg(reasoning, '' ORDER BY seq), '') AS reasoning,
      bool_or(text_start IS NOT NULL) AS replaced
    FROM (
      SELECT seq, text, reasoning, max(seq) FILTER (WHERE replace) OVER () AS text_start FROM (
        SELECT seq, text, reasoning, replace FROM run_chunks WHERE run_id = ${runId} AND repeats
        UNION ALL
        SELECT seq, text, reasoning, replace FROM run_chunks WHERE run_id = ${runId} AND seq > coalesce(
          (SELECT max(seq) FROM run_chunks WHERE run_id = ${runId} AND repeats), -1)
      ) AS once
    ) AS chunk`)
  const { text = '', reasoning = '', replaced } = rows[0] ?? {}
  return { text, reasoning, replaced: replaced ?? false }
}

/** Deletes the stream logs of ended runs whose output is stored elsewhere or not at all. */
export async function deleteStreamLogs(tx: Db, runIds: (string | null)[]): Promise<void> {
  const ids = runIds.filter((id) => id !== null)
  if (ids.length === 0) return
  await tx.execute(sql`
    DELETE FROM run_chunks WHERE run_id IN (
      SELECT ended.id::uuid FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS ended(id))`)
}

/** Returns the end of a run: null while it runs, undefined for an unknown one. */
export async function findRunEnd(
  db: Db,
  runId: string,
): Promise<Pick<RunResult, 'state' | 'code'> | null | undefined> {
  const { rows } = await db.execute<{ state: RunResult['state'] | 'running'; code: ErrorCode | null }>(sql`
    SELECT state, code FROM runs WHERE id = ${runId}`)
  const row = rows[0]
  return row && (row.state === 'running' ? null : { state: row.state, code: row.code })
}

export const isRunning = async (db: Db, runId: string): Promise<boolean> =>
  (await findRunEnd(db, runId)) === null

/** A run's state, as columns of a query with `joinRun`. */
export const runStateColumns = { state: runs.state, code: sql<ErrorCode | null>`${runs.code}` }

/** The feature's own id of the run's purpose; for the gateway the key. */
export const runSubjectColumn = runs.subject_id

/** Arguments of a join: the run that a row names. */
export const joinRun = (runId: AnyPgColumn) => [runs, eq(runs.id, runId)] as const

/** Lists running runs of other processes without a heartbeat for `seconds`. */
export async function listOrphanedRuns(db: Db, hostId: string, seconds: number): Promise<StoredRun[]> {
  const { rows } = await db.execute<StoredRun>(sql`
    SELECT r.id, r.user_id, r.account_id, r.kind, r.subject_id, r.model, r.platform, r.input_tokens, r.prices
    FROM runs r LEFT JOIN run_hosts h ON h.id = r.host_id
    WHERE r.state = 'running' AND r.host_id <> ${hostId}
      AND (h.id IS NULL OR h.seen_at < now() - make_interval(secs => ${seconds}))`)
  return rows
}

/** Lists a process's running runs, except `but`, that it was asked to stop or that started over a minute ago. */
export async function listOverdueRuns(db: Db, hostId: string, but: string[]): Promise<StoredRun[]> {
  const { rows } = await db.execute<StoredRun>(sql`
    SELECT id, user_id, account_id, kind, subject_id, model, platform, input_tokens, prices FROM runs
    WHERE host_id = ${hostId} AND state = 'running' AND (stop_asked OR started_at < now() - interval '1 minute')
      AND id NOT IN (SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(but)}::json))`)
  return rows
}

/** Deletes the stream logs of runs that ended a while ago, old Idempotency-Keys, and processes long gone. */
export async function deleteExpiredRows(db: Db): Promise<void> {
  await db.execute(sql`
    DELETE FROM run_chunks c USING runs r
    WHERE r.id = c.run_id AND r.state <> 'running' AND r.ended_at < now() - interval '10 minutes'`)
  await db.execute(sql`DELETE FROM run_requests WHERE created_at < now() - interval '1 day'`)
  await db.execute(sql`DELETE FROM run_hosts h WHERE h.seen_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.host_id = h.id AND r.state = 'running')`)
}
