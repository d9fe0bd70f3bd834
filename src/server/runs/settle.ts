import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#server/core/batch.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Settlement } from '#server/ledger/settlement.ts'
import type { RunResult } from './execute-chat.ts'
import type { ResponseDetails } from './response-accumulator.ts'
import type { RunOutcome } from './live-run.ts'
import type { OperationOutput } from './operation-output.ts'
import type { MeteredUsage } from './meter.ts'
import { settleRuns, insertChunks } from './store.ts'
import type { RunSettlement, RunRow } from './store.ts'

/** A run that ended, as its feature sees it; `subject_id` is the feature's own. */
export type SettledRun = {
  run_id: string
  subject_id: string
  outcome: RunOutcome
  said: ResponseDetails
  /** It gave its reader something, so it was charged for. */
  produced: boolean
  metered: MeteredUsage
  /** What a work came to. */
  made?: OperationOutput
}

/** The same for the feature that asked, with what it may want to show beside the text. */
export type ChargedRun = SettledRun & {
  platform: string
  /** Micro-coins. */
  charged: string
  timing: RunTiming
}

/** Milliseconds from a run's start to its first text and to its last reasoning; null where nobody knows. */
export type RunTiming = { first_text_ms: number | null; reasoning_ms: number | null }

/**
 * What a feature does when runs of its kind end, in the transaction that settles them: text and charge become true
 * together.
 */
export type SettledRunsHook = (tx: Db, ended: ChargedRun[]) => Promise<void>

/** What a feature does when one of its runs ends; null: nothing, so that the run ends by a single statement. */
export type RunKindHandler = (run_id: string) => SettledRunsHook | null

export type SettlementRequest = {
  run: RunRow
  result: RunResult
  first_text_at: Date | null
  timing: RunTiming
}

const MAX_RETRY_DELAY_MS = 4_000

/**
 * Ends runs, those that end at about the same moment in one transaction: their states, charges and texts. Charging
 * follows what was produced; a run that produced nothing costs nothing. A run that had ended already is
 * left alone, and false answered. While the database is away it tries on: until then nobody is told that the run has
 * ended.
 */
export function createSettle(
  db: Db,
  findHook: (run: RunRow) => SettledRunsHook | null,
  log: Log,
): (request: SettlementRequest) => Promise<boolean> {
  const needsTransaction = ({ run, result }: SettlementRequest): boolean =>
    result.unsaved !== null || findHook(run) !== null
  const settleBatched = createBatcher((batch: SettlementRequest[]) =>
    batch.some(needsTransaction)
      ? db.transaction((tx) => settleAll(tx, batch, findHook))
      : settleAll(db, batch, findHook),
  )
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await settleBatched(request)
      } catch (err) {
        log.error({ err, run_id: request.run.id, attempt }, 'run could not be ended, trying again')
        await sleep(Math.min(100 * 2 ** attempt, MAX_RETRY_DELAY_MS))
      }
    }
  }
}

async function settleAll(
  db: Db,
  batch: SettlementRequest[],
  findHook: (run: RunRow) => SettledRunsHook | null,
): Promise<boolean[]> {
  const charges = await settleRuns(db, batch.map(toRunSettlement))
  const settledNow = batch.filter(({ run }) => charges.has(run.id))
  const unsaved = settledNow.flatMap(({ result: driven }) => driven.unsaved ?? [])
  if (unsaved.length) await insertChunks(db, unsaved)
  for (const [hook, group] of Map.groupBy(settledNow, ({ run }) => findHook(run))) {
    const charged_runs = group.map(({ run, result: driven, timing }): ChargedRun => {
      const charged = charges.get(run.id)!
      return { ...toSettledRun(run, driven), platform: driven.platform, charged, timing }
    })
    await hook?.(db, charged_runs)
  }
  return batch.map(({ run }) => charges.has(run.id))
}

/** What a feature is told of a run that ended. */
export const toSettledRun = (
  run: RunRow,
  { outcome, said, produced, metered, made }: RunResult,
): SettledRun => ({
  run_id: run.id,
  subject_id: run.subject_id,
  outcome,
  said,
  produced,
  metered,
  ...(made ? { made } : {}),
})

const toRunSettlement = ({ run, result: driven, first_text_at }: SettlementRequest): RunSettlement => ({
  id: run.id,
  outcome: driven.outcome,
  first_text_at,
  settlement: toSettlement(run, driven),
  attempts: driven.attempts,
})

function toSettlement({ id: run_id, model }: RunRow, driven: RunResult): Settlement {
  const { produced, metered, platform, prices, flagged } = driven
  return produced ? { run_id, model, platform, prices, flagged, ...metered } : { run_id, void: true }
}
