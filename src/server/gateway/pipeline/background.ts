import type { BackgroundCompletion } from '#contract/gateway/chat-completions.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { Db } from '#server/core/database/database.ts'
import { deserializeResult, serializeResult } from './cached-result.ts'
import type { CachedResult } from './cached-result.ts'
import type { CompletionHook } from './completion-hooks.ts'
import * as store from './store.ts'

// Completions that are answered at once and fetched later, for 7 days: the run goes on when its client has disconnected,
// and its result is stored in the transaction that settles it.

/** How a completion in the background stands. Without a result it is pending, or produced nothing. */
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

/**
 * Stores the result for later calls. What a cancelled run produced was paid for, so it is stored too; and what a platform
 * said of a request that it refused.
 */
export const storeCompletionHook: CompletionHook = async (tx, settled) => {
  if (settled.result.billable || settled.result.rejection)
    await store.updateCompletionAnswer(tx, settled.run_id, serializeResult(settled))
}

/** The completion of this owner in this run; null when there is none. */
export async function findBackgroundState(
  db: Db,
  user_id: string,
  run_id: string,
): Promise<(BackgroundState & { model: string }) | null> {
  const found = await store.findCompletion(db, user_id, run_id)
  if (!found) return null
  const { model, answer, state, code } = found
  const stored = answer === null ? null : deserializeResult(answer)
  const rejection = stored?.rejection
  return { model, status: STATUS_BY_STATE[state], code, rejection, result: rejection ? null : stored }
}
