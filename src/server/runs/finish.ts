import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { release, settle } from '../ledger/holds.ts'
import type { Tokens } from '../ledger/prices.ts'
import { countTokens } from '../llm/tokens.ts'
import type { Driven } from './drive.ts'
import type { Outcome } from './live-run.ts'
import { endRun } from './store.ts'
import type { RunRow } from './store.ts'

/**
 * What a feature does when a run of its kind ends, in the transaction that settles it: text and charge become true
 * together. `subject_id` is the feature's own.
 */
export type OnEnd = (tx: Db, run: { run_id: string; subject_id: string }, outcome: Outcome) => Promise<void>

const LONGEST_PAUSE_MS = 4_000

/**
 * Ends a run in one transaction: its state, its charge, its text. Charging follows what was produced; a run that ended
 * before its first text costs nothing. A run that had ended already is left alone. While the database is away it tries
 * on: until then nobody is told that the run has ended.
 */
export async function finish(
  db: Db,
  run: RunRow,
  driven: Driven,
  onEnd: OnEnd,
  log: Log,
  first_text_at: Date | null,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        if (!(await endRun(tx, run.id, driven.outcome, first_text_at))) return
        if (driven.outcome.text) await settle(tx, billOf(run, driven))
        else await release(tx, run.id)
        await onEnd(tx, { run_id: run.id, subject_id: run.subject_id }, driven.outcome)
      })
      return
    } catch (err) {
      log.error({ err, run_id: run.id, attempt }, 'run could not be ended, trying again')
      await sleep(Math.min(100 * 2 ** attempt, LONGEST_PAUSE_MS))
    }
  }
}

function billOf(run: RunRow, { outcome, usage, flagged, reasoning }: Driven) {
  const { id: run_id, model, platform, prices } = run
  const tokens: Tokens = usage ?? counted(run, outcome.text, reasoning)
  return {
    run_id,
    model,
    platform,
    prices,
    tokens,
    flagged,
    usage_source: usage ? 'upstream' : 'counted',
  } as const
}

function counted(run: RunRow, text: string, thoughts: string): Tokens {
  const reasoning = countTokens(thoughts, run.model)
  return { input: run.input_tokens, output: countTokens(text, run.model) + reasoning, cached: 0, reasoning }
}
