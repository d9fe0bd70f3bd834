import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import type { RunOutcome } from '#server/runs/live-run.ts'
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  saveCachedResult,
  findCachedResult,
} from '#server/runs/idempotency-keys.ts'
import type { RunHandle, Runs } from '#server/runs/runs.ts'
import { findRunOutcome } from '#server/runs/store.ts'
import type { CompletionHook } from './completion-hooks.ts'
import { serializeResult, deserializeResult } from './serialize-result.ts'

// Answers of calls that came with an Idempotency-Key, kept with the key (for a day) in the transaction that settles
// them. Of a call that gave its reader nothing nothing is kept: the same key then tries anew.

/** Who called under which Idempotency-Key. */
export type IdempotentCall = { user_id: string; idempotency: IdempotencyKey }

/** The run that `open` opens, once for the key; else the id of the one that an earlier call under the key made. */
export async function openRunOnce(
  tx: Db,
  { user_id, idempotency }: IdempotentCall,
  open: () => Promise<RunHandle>,
): Promise<RunHandle | { earlier: string }> {
  const key = scopeKey(idempotency)
  const earlier = await claimIdempotencyKey(tx, user_id, { ...idempotency, key })
  if (earlier && !(await isResultMissing(tx, earlier, { user_id, key }))) return { earlier }
  const opened = await open()
  await completeIdempotencyKey(tx, user_id, key, opened.run_id)
  return opened
}

/** Keeps the answer for the same key. */
export const createCacheHook =
  ({ user_id, idempotency }: IdempotentCall): CompletionHook =>
  async (tx, ended) => {
    if (ended.produced) await saveCachedResult(tx, user_id, scopeKey(idempotency), serializeResult(ended))
  }

type CachedCall = IdempotentCall & { db: Db; runs: Runs; run_id: string; disconnect_signal: AbortSignal }

/** The answer of an earlier run: waits until it has ended. Throws AppError when it came to nothing. */
export async function waitForCachedResult({
  db,
  runs,
  user_id,
  idempotency,
  run_id,
  disconnect_signal,
}: CachedCall): Promise<SettledRun> {
  const { code, retry_after } = (await waitForOutcome(runs, run_id, disconnect_signal)) ?? {}
  const cached = await findCachedResult(db, user_id, scopeKey(idempotency))
  if (cached === null) throw new AppError(code ?? 'interrupted', retry_after ? { retry_after } : {})
  return deserializeResult(cached)
}

/** Keys of other doors are not in its way. */
const scopeKey = ({ key }: IdempotencyKey): string => `gateway ${key}`

async function isResultMissing(
  tx: Db,
  run_id: string,
  { user_id, key }: { user_id: string; key: string },
): Promise<boolean> {
  const isRunning = (await findRunOutcome(tx, run_id)) === null
  return !isRunning && (await findCachedResult(tx, user_id, key)) === null
}

/** Waits for the end of a run; null when the client left before. */
async function waitForOutcome(runs: Runs, run_id: string, gone: AbortSignal): Promise<RunOutcome | null> {
  for await (const event of runs.attach(run_id, 0, gone)) {
    if (event.type === 'end') return event.outcome
  }
  return null
}
