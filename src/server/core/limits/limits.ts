import { sql } from 'drizzle-orm'
import { AppError } from '../app-error.ts'
import type { Db } from '../database/database.ts'
import { createId } from '../ids.ts'

/** At most `max` uses within any `seconds`. */
export type UseLimit = { max: number; seconds: number }

/**
 * A key with its limits: the limit's name and the holder it counts for, as in `mail:house` or `code:client:{hash}`. The caller
 * hashes a person's address.
 */
export type LimitedKey = { key: string; limits: UseLimit[] }

/** Longest window of a limit, seconds: older rows are deleted. */
const MAX_LIMIT_S = 86_400

/**
 * Counts one use for all of these keys, or for none of them, exactly and over all processes. The window slides with the uses, so
 * that no boundary lets twice as many through. Call it in a transaction: the keys stay locked until it ends, always in the same
 * order. Returns the use's id, for `returnUse`. When keys have no use left, calls `onRefused` with the first one in the caller's
 * order, then throws AppError rate_limited with the seconds until its next use is possible.
 */
export async function takeUse(
  tx: Db,
  keys: LimitedKey[],
  onRefused?: (key: string, limit: UseLimit) => void,
): Promise<string> {
  for (const key of keys.map((one) => one.key).sort()) {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limit ${key}`}, 0))`)
  }
  for (const { key, limits } of keys) {
    for (const limit of limits) {
      const waitS = await readWaitSeconds(tx, key, limit)
      if (waitS === null) continue
      onRefused?.(key, limit)
      throw new AppError('rate_limited', { retry_after: waitS })
    }
  }
  const useId = createId()
  await tx.execute(sql`
    INSERT INTO limit_uses (use_id, key)
    SELECT ${useId}::uuid, key FROM json_array_elements_text(${JSON.stringify(keys.map((one) => one.key))}::json) AS key`)
  return useId
}

/** Counts the uses of a key within some seconds up to now. */
export async function countUses(tx: Db, key: string, seconds: number): Promise<number> {
  const { rows } = await tx.execute<{ uses: number }>(sql`
    SELECT count(*)::int AS uses FROM limit_uses WHERE key = ${key} AND used_at > now() - make_interval(secs => ${seconds})`)
  return rows[0]!.uses
}

/** Gives a use back when its purpose was not achieved. */
export async function returnUse(db: Db, useId: string): Promise<void> {
  await db.execute(sql`DELETE FROM limit_uses WHERE use_id = ${useId}`)
}

/** Deletes uses that no limit counts. */
export async function sweepUses(db: Db): Promise<void> {
  await db.execute(sql`DELETE FROM limit_uses WHERE used_at < now() - make_interval(secs => ${MAX_LIMIT_S})`)
}

/** Returns the seconds until a limit has room again, at least 1; null if it has room. */
async function readWaitSeconds(tx: Db, key: string, { max, seconds }: UseLimit): Promise<number | null> {
  if (max <= 0) return seconds
  // There is room again once the oldest of the newest `max` uses leaves the window.
  const { rows } = await tx.execute<{ wait_s: number }>(sql`
    SELECT extract(epoch FROM used_at + make_interval(secs => ${seconds}) - now())::float8 AS wait_s
    FROM limit_uses WHERE key = ${key} AND used_at > now() - make_interval(secs => ${seconds})
    ORDER BY used_at DESC OFFSET ${max - 1} LIMIT 1`)
  return rows[0] ? Math.max(1, rows[0].wait_s) : null
}
