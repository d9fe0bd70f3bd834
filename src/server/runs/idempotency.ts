import { sql } from 'drizzle-orm'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'

/**
 * Claims a key for the caller's transaction. Null: the key is new; go on and complete it. Else the subject (a turn, a task) that
 * the first request created; waits for a first request still under way, as its row is locked. Throws AppError
 * idempotency_mismatch when the key was used for another request.
 */
export async function claimIdempotencyKey(
  tx: Db,
  userId: string,
  { key, body_hash }: IdempotencyKey,
): Promise<string | null> {
  const { rows } = await tx.execute(sql`
    INSERT INTO run_requests (user_id, key, body_hash) VALUES (${userId}, ${key}, ${body_hash})
    ON CONFLICT DO NOTHING RETURNING key`)
  if (rows.length) return null
  const first = await tx.execute<{ body_hash: string; subject_id: string }>(sql`
    SELECT body_hash, subject_id FROM run_requests WHERE user_id = ${userId} AND key = ${key} FOR UPDATE`)
  if (first.rows[0]?.body_hash !== body_hash) throw new AppError('idempotency_mismatch')
  return first.rows[0].subject_id
}

/** Records the subject that the request under a key created. */
export async function completeIdempotencyKey(
  tx: Db,
  userId: string,
  key: string,
  subjectId: string,
): Promise<void> {
  await tx.execute(sql`
    UPDATE run_requests SET subject_id = ${subjectId} WHERE user_id = ${userId} AND key = ${key}`)
}

/** Stores the response to the request under a key, JSON as text, for calls that store it nowhere else. */
export async function saveCachedResult(tx: Db, userId: string, key: string, answer: string): Promise<void> {
  await tx.execute(sql`
    UPDATE run_requests SET answer = ${answer} WHERE user_id = ${userId} AND key = ${key}`)
}

/** Returns the response stored under a key, or null. */
export async function findCachedResult(db: Db, userId: string, key: string): Promise<string | null> {
  const { rows } = await db.execute<{ answer: string | null }>(sql`
    SELECT answer FROM run_requests WHERE user_id = ${userId} AND key = ${key}`)
  return rows[0]?.answer ?? null
}
