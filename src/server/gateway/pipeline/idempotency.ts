import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { parseIdempotencyKey } from '#server/core/idempotency.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  findCachedResult,
  isRunning,
  saveCachedResult,
} from '#server/runs/runs.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'
import { deserializeResult, serializeResult } from './cached-result.ts'
import type { CachedResult } from './cached-result.ts'
import type { CompletionHook } from './completion-hooks.ts'
import type { CallContext } from './context.ts'

// Results of calls that came with an Idempotency-Key, cached with the key (for a day) in the transaction that settles
// them. A call that gave its client nothing caches nothing: the same key then tries anew.

/** A call under an Idempotency-Key, by this API key. */
export type IdempotentCall = { key: Pick<GatewayKey, 'id' | 'user_id'>; idempotency: IdempotencyKey }

/**
 * Reads the Idempotency-Key of a call, null without one; `getContent` returns the content that the same key must come with again.
 * Throws AppError bad_request.
 */
export async function readIdempotencyKey(
  { exchange, endpoint }: CallContext,
  getContent: () => unknown,
): Promise<IdempotencyKey | null> {
  const key = exchange.request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  const headers = { 'Idempotency-Key': key }
  return parseIdempotencyKey(new Request('http://gateway', { headers }), [endpoint, await getContent()])
}

/** Returns the run that `open` opens, once for the key; else the id of the run that an earlier call under the key opened. */
export async function openRunOnce(
  tx: Db,
  call: IdempotentCall,
  open: () => Promise<RunHandle>,
): Promise<RunHandle | { existing_run_id: string }> {
  const { idempotency } = call
  const { user_id } = call.key
  const key = scopeKey(call)
  const existingRunId = await claimIdempotencyKey(tx, user_id, { ...idempotency, key })
  if (existingRunId && !(await isResultMissing(tx, existingRunId, { user_id, key }))) {
    return { existing_run_id: existingRunId }
  }
  const run = await open()
  await completeIdempotencyKey(tx, user_id, key, run.run_id)
  return run
}

/** Caches the result for the same key. */
export const createCacheHook =
  (call: IdempotentCall): CompletionHook =>
  async (tx, settled) => {
    if (!settled.result.billable) return
    await saveCachedResult(tx, call.key.user_id, scopeKey(call), serializeResult(settled))
  }

type CachedCall = IdempotentCall & { db: Db; runs: Runs; run_id: string; disconnect_signal: AbortSignal }

/** Waits for the result of an earlier run. Throws AppError when it produced nothing. */
export async function waitForCachedResult({
  db,
  runs,
  run_id,
  disconnect_signal,
  ...call
}: CachedCall): Promise<CachedResult> {
  const { code, ...more } = (await runs.waitForEnd(run_id, disconnect_signal)) ?? {}
  const cached = await findCachedResult(db, call.key.user_id, scopeKey(call))
  if (cached === null) throw new AppError(code ?? 'interrupted', more)
  return deserializeResult(cached)
}

/** Other entry points, and other API keys of the account, use the same table: each has keys of its own. */
const scopeKey = ({ key, idempotency }: IdempotentCall): string => `gateway ${key.id} ${idempotency.key}`

async function isResultMissing(
  tx: Db,
  runId: string,
  { user_id, key }: { user_id: string; key: string },
): Promise<boolean> {
  return !(await isRunning(tx, runId)) && (await findCachedResult(tx, user_id, key)) === null
}
