import { sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '../core/database.ts'
import type { Prices } from '../ledger/prices.ts'
import type { Outcome } from './live-run.ts'
import type { Chunk } from './stream-log.ts'

export type RunRow = {
  id: string
  user_id: string
  kind: string
  subject_id: string
  model: string
  platform: string
  input_tokens: number
  prices: Prices
}

type StoredRun = Omit<RunRow, 'prices'> & { prices: Record<keyof Prices, string> }

const readPrices = (prices: Record<keyof Prices, string>): Prices =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, BigInt(price)])) as Prices

export async function insertRun(tx: Db, run: RunRow, host_id: string): Promise<void> {
  const prices = JSON.stringify(run.prices, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  await tx.execute(sql`
    INSERT INTO runs (id, user_id, kind, subject_id, model, platform, state, input_tokens, prices, host_id)
    VALUES (${run.id}, ${run.user_id}, ${run.kind}, ${run.subject_id}, ${run.model}, ${run.platform}, 'running',
      ${run.input_tokens}, ${prices}::jsonb, ${host_id})`)
}

/** Ends those of the runs that are still running; returns their ids. */
export async function endRuns(
  tx: Db,
  ended: { run: { id: string }; driven: { outcome: Outcome }; first_text_at: Date | null }[],
): Promise<Set<string>> {
  const endings = ended.map(({ run, driven, first_text_at }) => ({
    id: run.id,
    state: driven.outcome.state,
    code: driven.outcome.code,
    first_text_at,
  }))
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE runs SET state = e.state, code = e.code, first_text_at = e.first_text_at, ended_at = now()
    FROM json_to_recordset(${JSON.stringify(endings)}::json)
      AS e(id uuid, state text, code text, first_text_at timestamptz)
    WHERE runs.id = e.id AND runs.state = 'running' RETURNING runs.id`)
  return new Set(rows.map(({ id }) => id))
}

/** Appends to the stream log. Writing the same chunk twice (after an answer got lost) keeps one. */
export async function insertChunks(db: Db, chunks: Chunk[]): Promise<void> {
  await db.execute(sql`
    INSERT INTO run_chunks (run_id, seq, text, replace)
    SELECT run_id, seq, text, replace
    FROM json_to_recordset(${JSON.stringify(chunks)}::json) AS chunk(run_id uuid, seq bigint, text text, replace boolean)
    ON CONFLICT DO NOTHING`)
}

/** The text of a run as far as its stream log has it. */
export async function storedText(db: Db, run_id: string): Promise<string> {
  const { rows } = await db.execute<{ text: string }>(sql`
    SELECT coalesce(string_agg(text, '' ORDER BY seq), '') AS text FROM run_chunks
    WHERE run_id = ${run_id} AND seq >= coalesce(
      (SELECT max(seq) FROM run_chunks WHERE run_id = ${run_id} AND replace), 0)`)
  return rows[0]?.text ?? ''
}

/** How a run stands: null while it runs. Undefined for an unknown one. */
export async function runEnd(db: Db, run_id: string): Promise<Omit<Outcome, 'text'> | null | undefined> {
  const { rows } = await db.execute<{ state: Outcome['state'] | 'running'; code: ErrorCode | null }>(sql`
    SELECT state, code FROM runs WHERE id = ${run_id}`)
  const row = rows[0]
  return row && (row.state === 'running' ? null : { state: row.state, code: row.code })
}

/** Says that this process is alive. */
export async function touchHost(db: Db, host_id: string): Promise<void> {
  await db.execute(sql`
    INSERT INTO run_hosts (id, seen_at) VALUES (${host_id}, now())
    ON CONFLICT (id) DO UPDATE SET seen_at = now()`)
}

/** Running runs whose process gave no sign of life for `seconds`. */
export async function orphanedRuns(db: Db, seconds: number): Promise<RunRow[]> {
  const { rows } = await db.execute<StoredRun>(sql`
    SELECT r.id, r.user_id, r.kind, r.subject_id, r.model, r.platform, r.input_tokens, r.prices
    FROM runs r LEFT JOIN run_hosts h ON h.id = r.host_id
    WHERE r.state = 'running' AND (h.id IS NULL OR h.seen_at < now() - make_interval(secs => ${seconds}))`)
  return rows.map((row) => ({ ...row, prices: readPrices(row.prices) }))
}

/** Removes the stream logs of runs that ended a while ago, and processes long gone. */
export async function sweep(db: Db): Promise<void> {
  await db.execute(sql`
    DELETE FROM run_chunks c USING runs r
    WHERE r.id = c.run_id AND r.state <> 'running' AND r.ended_at < now() - interval '10 minutes'`)
  await db.execute(sql`DELETE FROM run_hosts h WHERE h.seen_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.host_id = h.id AND r.state = 'running')`)
}
