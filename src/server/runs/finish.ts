import { setTimeout as sleep } from 'node:timers/promises'
import { openBatch } from '../core/batch.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { settleAll } from '../ledger/settle.ts'
import type { Ending } from '../ledger/settle.ts'
import type { Driven } from './drive.ts'
import type { Said } from './heard.ts'
import type { Outcome } from './live-run.ts'
import type { Made } from './made.ts'
import type { Metered } from './meter.ts'
import { endRuns, insertAttempts, insertChunks } from './store.ts'
import type { RunRow } from './store.ts'

/** A run that ended, as its feature sees it; `subject_id` is the feature's own. */
export type Ended = {
  run_id: string
  subject_id: string
  outcome: Outcome
  said: Said
  /** It gave its reader something, so it was charged for. */
  produced: boolean
  metered: Metered
  /** What a work came to. */
  made?: Made
}

/** The same for the feature that asked, with what it may want to show beside the text. */
export type Settled = Ended & {
  platform: string
  /** Micro-coins. */
  charged: string
  times: Times
}

/** Milliseconds from a run's start to its first text and to its last reasoning; null where nobody knows. */
export type Times = { first_text_ms: number | null; reasoning_ms: number | null }

/**
 * What a feature does when runs of its kind end, in the transaction that settles them: text and charge become true
 * together.
 */
export type OnEnd = (tx: Db, ended: Settled[]) => Promise<void>

export type Finished = { run: RunRow; driven: Driven; first_text_at: Date | null; times: Times }

const LONGEST_PAUSE_MS = 4_000

/**
 * Ends runs, those that end at about the same moment in one transaction: their states, charges and texts. Charging
 * follows what was produced; a run that produced nothing costs nothing. A run that had ended already is
 * left alone, and false answered. While the database is away it tries on: until then nobody is told that the run has
 * ended.
 */
export function openFinish(
  db: Db,
  kindOf: (kind: string) => OnEnd,
  log: Log,
): (finished: Finished) => Promise<boolean> {
  const commit = openBatch((batch: Finished[]) => db.transaction((tx) => endAll(tx, batch, kindOf)))
  return async (finished) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await commit(finished)
      } catch (err) {
        log.error({ err, run_id: finished.run.id, attempt }, 'run could not be ended, trying again')
        await sleep(Math.min(100 * 2 ** attempt, LONGEST_PAUSE_MS))
      }
    }
  }
}

async function endAll(tx: Db, batch: Finished[], kindOf: (kind: string) => OnEnd): Promise<boolean[]> {
  const running = await endRuns(tx, batch)
  const ending = batch.filter(({ run }) => running.has(run.id))
  const rests = ending.flatMap(({ driven }) => driven.rest ?? [])
  if (rests.length) await insertChunks(tx, rests)
  const charges = ending.length ? await settleAll(tx, ending.map(endingOf)) : []
  await keepAttempts(tx, ending, charges)
  const settled = ending.map(({ run, driven, times }, nth) => {
    const charged = String(charges[nth] ?? 0n)
    return { kind: run.kind, one: { ...endedOf(run, driven), platform: driven.platform, charged, times } }
  })
  for (const [kind, group] of Map.groupBy(settled, ({ kind }) => kind)) {
    await kindOf(kind)(
      tx,
      group.map(({ one }) => one),
    )
  }
  return batch.map(({ run }) => running.has(run.id))
}

/** What a feature is told of a run that ended. */
export const endedOf = (run: RunRow, { outcome, said, produced, metered, made }: Driven): Ended => ({
  run_id: run.id,
  subject_id: run.subject_id,
  outcome,
  said,
  produced,
  metered,
  ...(made ? { made } : {}),
})

/** The attempt that answered (or was cut in the middle of it) carries the charge, the ones before it cost nothing. */
async function keepAttempts(tx: Db, ending: Finished[], charges: bigint[]): Promise<void> {
  const attempts = ending.flatMap(({ run, driven }, nth) =>
    driven.attempts.map((attempt, at, { length }) => ({
      ...attempt,
      run_id: run.id,
      nth: at,
      cost: (at === length - 1 ? (charges[nth] ?? 0n) : 0n).toString(),
    })),
  )
  if (attempts.length) await insertAttempts(tx, attempts)
}

function endingOf({ run, driven }: Finished): Ending {
  const { id: run_id, model } = run
  const { produced, metered, platform, prices, flagged } = driven
  return produced ? { run_id, model, platform, prices, flagged, ...metered } : { run_id, void: true }
}
