import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { joinRun, runStateColumns } from '#server/runs/runs.ts'
import { gatewayResponses } from '../../tables.ts'

// Responses that are kept, for 30 days from their creation, for the key that made them.

const RETENTION = sql.raw("interval '30 days'")
/** Characters that are kept for a key; beyond them the oldest responses are deleted. */
const MAX_CHARS_PER_KEY = 500_000_000
/** Responses, and their characters, in the longest chain that a call may continue. */
const MAX_CHAIN = 1000
const MAX_CHAIN_CHARS = 50_000_000

const isRetained = sql`${gatewayResponses.created_at} > now() - ${RETENTION}`
const isOwn = (keyId: string, runId: string) =>
  and(eq(gatewayResponses.run_id, runId), eq(gatewayResponses.key_id, keyId), isRetained)

export type NewResponse = {
  run_id: string
  key_id: string
  previous_run_id: string | null
  request: string
  input: string
  answer: string | null
}

/** Keeps a response unless its key is gone with the account: runs settled in the same transaction must not fail for that. */
export async function insertResponse(tx: Db, response: NewResponse): Promise<void> {
  const { run_id, key_id, previous_run_id, request, input, answer } = response
  const chars = input.length + (answer?.length ?? 0)
  await tx.execute(sql`
    INSERT INTO gateway_responses (run_id, key_id, previous_run_id, request, input, answer, chars)
    SELECT ${run_id}::uuid, id, ${previous_run_id}::uuid, ${request}, ${input}, ${answer}, ${chars}::integer
    FROM api_keys WHERE id = ${key_id}::uuid FOR KEY SHARE`)
}

/** Adds the result of a run in the background, unless its response was deleted meanwhile. */
export async function updateResponseAnswer(tx: Db, runId: string, answer: string): Promise<void> {
  const chars = sql`${gatewayResponses.chars} + ${answer.length}`
  await tx.update(gatewayResponses).set({ answer, chars }).where(eq(gatewayResponses.run_id, runId))
}

/** A response of this key with the state of its run. */
export async function findResponse(db: Db, keyId: string, runId: string) {
  const { request, input, answer } = gatewayResponses
  const rows = await db
    .select({ request, input, answer, ...runStateColumns })
    .from(gatewayResponses)
    .innerJoin(...joinRun(gatewayResponses.run_id))
    .where(isOwn(keyId, runId))
  return rows[0]
}

export type KeptResponse = { run_id: string; request: string; input: string; answer: string | null }

/** The key's responses among these runs. */
export async function listResponses(db: Db, keyId: string, runIds: string[]): Promise<KeptResponse[]> {
  const { run_id, request, input, answer } = gatewayResponses
  return db
    .select({ run_id, request, input, answer })
    .from(gatewayResponses)
    .where(and(inArray(run_id, runIds), eq(gatewayResponses.key_id, keyId), isRetained))
}

/** A response and all that it continues, oldest first; null when one of them is gone, or there are too many. */
export async function listResponseChain(
  db: Db,
  keyId: string,
  runId: string,
): Promise<KeptResponse[] | null> {
  const { rows } = await db.execute<KeptResponse & { previous_run_id: string | null }>(sql`
    WITH RECURSIVE chain AS (
      SELECT r.*, 1 AS depth, r.chars::bigint AS total FROM gateway_responses r
      WHERE r.run_id = ${runId} AND r.key_id = ${keyId} AND r.created_at > now() - ${RETENTION}
      UNION ALL
      SELECT r.*, c.depth + 1, c.total + r.chars FROM chain c JOIN gateway_responses r ON r.run_id = c.previous_run_id
      WHERE r.key_id = ${keyId} AND r.created_at > now() - ${RETENTION}
        AND c.depth < ${MAX_CHAIN} AND c.total < ${MAX_CHAIN_CHARS})
    SELECT run_id, previous_run_id, request, input, answer FROM chain ORDER BY depth DESC`)
  return rows[0]?.previous_run_id === null ? rows : null
}

/** False when the key has no such response. */
export async function deleteResponse(db: Db, keyId: string, runId: string): Promise<boolean> {
  const deleted = await db
    .delete(gatewayResponses)
    .where(isOwn(keyId, runId))
    .returning({ run_id: gatewayResponses.run_id })
  return deleted.length > 0
}

/** Deletes responses whose time is over, responses of deleted keys, and the oldest of keys that keep too much. */
export async function deleteExpiredResponses(db: Db): Promise<void> {
  await db.delete(gatewayResponses).where(sql`NOT ${isRetained}`)
  await db.execute(sql`
    DELETE FROM gateway_responses r USING api_keys k WHERE k.id = r.key_id AND k.deleted_at IS NOT NULL`)
  await db.execute(sql`
    DELETE FROM gateway_responses WHERE run_id IN (
      SELECT run_id FROM (
        SELECT run_id, sum(chars) OVER (PARTITION BY key_id ORDER BY created_at DESC, run_id) AS total
        FROM gateway_responses) AS kept
      WHERE total > ${MAX_CHARS_PER_KEY})`)
}
