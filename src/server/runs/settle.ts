import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#server/core/batch.ts'
import { isDatabaseAway } from '#server/core/database/connection-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Settlement } from './bill.ts'
import type { ChatRunRequest } from './create-run.ts'
import type { RunResult, SettledRun } from './result.ts'
import { findCharge, insertChunks, settleRuns } from './store.ts'
import type { RunRow } from './store.ts'
import type { RunKind } from './tables.ts'

/** A feature's work when runs of its kind are settled, in the same transaction: text and charge become visible together. */
export type CompletionHook = (tx: Db, settled: SettledRun[]) => Promise<void>

/** Returns the hook for one run of a kind; null for none, so that a single statement settles the run. */
export type CompletionHooks = Record<RunKind, ((runId: string) => CompletionHook | null) | null>

export type SettleRequest = {
  run: RunRow
  result: RunResult
  first_text_at: Date | null
  timing: SettledRun['timing']
  onSettled?: ChatRunRequest['onSettled']
}

type BatchedRequest = SettleRequest & { hook: CompletionHook | null }

const MAX_RETRY_DELAY_MS = 4_000
/** All of them take half a minute. */
const MAX_ATTEMPTS = 12

/**
 * Settles runs, those that end at about the same moment in one transaction: their states, charges and texts. A run is charged for
 * its output; one without output costs nothing. Returns null for a run that another process has ended, and leaves it alone. A
 * failure is retried as long as the database is away, any other a few times, and not at all with `once` or after `stopping`;
 * until it succeeds, no reader learns that the run has ended. When it gives up, it throws, and the run is left to the sweeper.
 */
export function createSettleRun({
  db,
  completion_hooks,
  log,
  stopping,
}: {
  db: Db
  completion_hooks: CompletionHooks
  log: Log
  stopping: AbortSignal
}) {
  const settleBatched = createBatcher((batch: BatchedRequest[]) =>
    batch.some(({ hook, onSettled, result }) => hook || onSettled || result.unsaved_chunk)
      ? db.transaction((tx) => settleAll(tx, batch))
      : settleAll(db, batch),
  )

  const findHook = ({ id, kind }: RunRow): CompletionHook | null => {
    if (isKnownKind(completion_hooks, kind)) return completion_hooks[kind]?.(id) ?? null
    log.error({ run_id: id, kind }, 'run of an unknown kind is settled without its completion hook')
    return null
  }

  /** Returns the run as an earlier attempt settled it, though its reply got lost. Other processes only interrupt runs. */
  const findSettled = async (request: SettleRequest): Promise<SettledRun | null> => {
    const { run, result } = request
    const charged = result.state === 'interrupted' ? null : await findCharge(db, run.id, result.state)
    return charged === null ? null : toSettledRun(request, charged)
  }

  return async (request: SettleRequest, { once } = { once: false }): Promise<SettledRun | null> => {
    const hook = findHook(request.run)
    for (let attempt = 1; ; attempt++) {
      try {
        return (await settleBatched({ ...request, hook })) ?? (await findSettled(request))
      } catch (err) {
        const isOver = attempt >= MAX_ATTEMPTS && !isDatabaseAway(err)
        if (once || stopping.aborted || isOver) throw err
        log.error({ err, run_id: request.run.id, attempt }, 'run could not be settled, trying again')
        const delayMs = Math.min(100 * 2 ** attempt, MAX_RETRY_DELAY_MS)
        // A stop ends the wait; one more attempt follows.
        await sleep(delayMs, null, { signal: stopping }).catch(() => null)
      }
    }
  }
}

const isKnownKind = (completionHooks: CompletionHooks, kind: string): kind is RunKind =>
  Object.hasOwn(completionHooks, kind)

async function settleAll(db: Db, batch: BatchedRequest[]): Promise<(SettledRun | null)[]> {
  const charges = await settleRuns(
    db,
    batch.map(({ run, result, first_text_at }) => ({
      result,
      first_text_at,
      settlement: toSettlement(run, result),
    })),
  )
  const chargedRequests = batch.filter(({ run }) => charges.has(run.id))
  const unsaved = chargedRequests.flatMap(({ result }) => result.unsaved_chunk ?? [])
  if (unsaved.length) await insertChunks(db, unsaved)
  const settled = new Map(
    chargedRequests.map((request) => [request, toSettledRun(request, charges.get(request.run.id)!)]),
  )
  for (const [hook, group] of Map.groupBy(chargedRequests, (request) => request.hook)) {
    await hook?.(
      db,
      group.map((request) => settled.get(request)!),
    )
  }
  for (const { onSettled, result } of chargedRequests) await onSettled?.(db, result)
  return batch.map((request) => settled.get(request) ?? null)
}

/** Makes a settled run; `charged` in micro-coins. */
export const toSettledRun = (
  { run: { id: runId, subject_id }, result, timing }: SettleRequest,
  charged: bigint,
): SettledRun => ({ run_id: runId, subject_id, result, charged, timing })

/** Makes a run's settlement, with platform and prices only if they differ from the stored ones. */
function toSettlement({ id: runId, ...planned }: RunRow, result: RunResult): Settlement {
  const { billable, metered, platform, prices, flagged } = result
  if (!billable) return { run_id: runId, void: true }
  const bill = { run_id: runId, prices, flagged, ...metered }
  return platform === planned.platform && prices === planned.prices ? bill : { ...bill, platform }
}
