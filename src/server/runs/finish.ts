import { setTimeout as sleep } from 'node:timers/promises'
import { openBatch } from '../core/batch.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import type { Ending } from '../ledger/settle.ts'
import type { Driven } from './drive.ts'
import type { Said } from './heard.ts'
import type { Outcome } from './live-run.ts'
import type { Made } from './made.ts'
import type { Metered } from './meter.ts'
import { endRuns, insertChunks } from './store.ts'
import type { RunEnd, RunRow } from './store.ts'

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

/** What a feature does when one of its runs ends; null: nothing, so that the run ends by a single statement. */
export type Kind = (run_id: string) => OnEnd | null

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
  onEndOf: (run: RunRow) => OnEnd | null,
  log: Log,
): (finished: Finished) => Promise<boolean> {
  const isMore = ({ run, driven }: Finished): boolean => driven.rest !== null || onEndOf(run) !== null
  const commit = openBatch((batch: Finished[]) =>
    batch.some(isMore) ? db.transaction((tx) => endAll(tx, batch, onEndOf)) : endAll(db, batch, onEndOf),
  )
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

async function endAll(db: Db, batch: Finished[], onEndOf: (run: RunRow) => OnEnd | null): Promise<boolean[]> {
  const charges = await endRuns(db, batch.map(endOf))
  const ended = batch.filter(({ run }) => charges.has(run.id))
  const rests = ended.flatMap(({ driven }) => driven.rest ?? [])
  if (rests.length) await insertChunks(db, rests)
  for (const [onEnd, group] of Map.groupBy(ended, ({ run }) => onEndOf(run))) {
    const settled = group.map(({ run, driven, times }): Settled => {
      const charged = charges.get(run.id)!
      return { ...endedOf(run, driven), platform: driven.platform, charged, times }
    })
    await onEnd?.(db, settled)
  }
  return batch.map(({ run }) => charges.has(run.id))
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

const endOf = ({ run, driven, first_text_at }: Finished): RunEnd => ({
  id: run.id,
  outcome: driven.outcome,
  first_text_at,
  ending: endingOf(run, driven),
  attempts: driven.attempts,
})

function endingOf({ id: run_id, model }: RunRow, driven: Driven): Ending {
  const { produced, metered, platform, prices, flagged } = driven
  return produced ? { run_id, model, platform, prices, flagged, ...metered } : { run_id, void: true }
}
