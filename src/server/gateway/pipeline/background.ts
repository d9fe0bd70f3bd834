import type { BackgroundCompletion } from '#contract/gateway/completion-answers.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { Db } from '#server/core/database/database.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import { deserializeResult, serializeResult } from './cached-result.ts'
import type { CachedResult } from './cached-result.ts'
import type { CompletionHook } from './completion-hooks.ts'
import * as store from './store.ts'

// Calls that are answered at once and fetched later: the run goes on when its client has disconnected, and its result is stored
// in the transaction that settles it. Completions stay for 7 days.

/** The state of a completion in the background. Without a result it is pending, or produced nothing. */
export type BackgroundState = {
  status: BackgroundCompletion['status']
  code: ErrorCode | null
  rejection?: Rejection | undefined
  result: CachedResult | null
}

export const PENDING: BackgroundState = { status: 'pending', code: null, result: null }

const STATUS_BY_STATE = {
  running: 'pending',
  done: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  interrupted: 'interrupted',
} as const

/** Keeps the results of a protocol's calls for later ones, in the transactions that begin and settle the run. */
export type ResultStore = {
  /** Only for a call in the background, whose result may be requested before it exists. */
  begin?: (tx: Db, runId: string) => Promise<void>
  finish: (tx: Db, runId: string, answer: string) => Promise<void>
  find: (db: Db, runId: string) => Promise<BackgroundState | null>
}

/**
 * Keeps the result for later calls. The output of a cancelled run was paid for, so it is kept too; and so is, in the background,
 * a platform's reason for refusing the request.
 */
export const createStoreHook =
  ({ begin, finish }: ResultStore): CompletionHook =>
  async (tx, settled) => {
    const { billable, rejection } = settled.result
    if (billable || (begin && rejection)) await finish(tx, settled.run_id, serializeResult(settled))
  }

export const createCompletionStore = ({ id: keyId, user_id }: GatewayKey, model: string): ResultStore => ({
  begin: (tx, runId) => store.insertCompletion(tx, { run_id: runId, user_id, model }),
  finish: store.updateCompletionAnswer,
  find: (db, runId) => findBackgroundState(db, keyId, runId),
})

/** Finds the completion of this key in this run; null when there is none. */
export async function findBackgroundState(
  db: Db,
  keyId: string,
  runId: string,
): Promise<(BackgroundState & { model: string }) | null> {
  const completion = await store.findCompletion(db, keyId, runId)
  return completion ? { model: completion.model, ...toBackgroundState(completion) } : null
}

/** Tells the state by what was kept and by the state of the run. */
export function toBackgroundState({
  answer,
  state,
  code,
}: {
  answer: string | null
  state: keyof typeof STATUS_BY_STATE
  code: ErrorCode | null
}): BackgroundState {
  const storedResult = answer === null ? null : deserializeResult(answer)
  const rejection = storedResult?.rejection
  return { status: STATUS_BY_STATE[state], code, rejection, result: rejection ? null : storedResult }
}
