import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/** A day lies between two midnights in China, where the users are. */
const DAY = sql`(r.ended_at AT TIME ZONE 'Asia/Shanghai')::date`
const TODAY = sql`(now() AT TIME ZONE 'Asia/Shanghai')::date`
const TOKENS = sql`sum(r.input_tokens::bigint + r.output_tokens)`

export type DayFigures = { day: string; requests: number; amount: bigint; tokens: number }
export type ModelFigures = { model: string; requests: number; tokens: number }

/** Bills of the last seven days by day, oldest first; days without any are absent. */
export async function listFiguresByDay(db: Db): Promise<DayFigures[]> {
  const { rows } = await db.execute<{ day: string; requests: number; amount: string; tokens: string }>(sql`
    SELECT to_char(${DAY}, 'YYYY-MM-DD') AS day, count(*)::int AS requests, sum(r.amount)::text AS amount,
      ${TOKENS}::text AS tokens
    FROM runs r WHERE r.usage_source IS NOT NULL AND r.ended_at > now() - interval '8 days' AND ${DAY} > ${TODAY} - 7
    GROUP BY 1 ORDER BY 1`)
  return rows.map(({ day, requests, amount, tokens }) => ({
    day,
    requests,
    amount: BigInt(amount),
    tokens: Number(tokens),
  }))
}

/** Bills of the last seven days by model, the most used first. */
export async function listFiguresByModel(db: Db, limit: number): Promise<ModelFigures[]> {
  const { rows } = await db.execute<{ model: string; requests: number; tokens: string }>(sql`
    SELECT r.model, count(*)::int AS requests, ${TOKENS}::text AS tokens
    FROM runs r WHERE r.usage_source IS NOT NULL AND r.ended_at > now() - interval '8 days' AND ${DAY} > ${TODAY} - 7
    GROUP BY 1 ORDER BY ${TOKENS} DESC, 1 LIMIT ${limit}`)
  return rows.map((row) => ({ ...row, tokens: Number(row.tokens) }))
}
