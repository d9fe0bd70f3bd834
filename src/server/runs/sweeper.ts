import type { Db } from '#server/core/database/database.ts'
import type { Log } from '../core/log.ts'
import type { SettlementRequest, RunTiming } from './settle.ts'
import { meterRun } from './meter.ts'
import { listOrphanedRuns, readStreamLog, deleteExpiredRows, touchHost } from './store.ts'

/** A process without a sign of life for this long is dead, seconds. */
const DEAD_AFTER_S = 15
const SWEEP_INTERVAL_MS = 5_000
const UNKNOWN_TIMING: RunTiming = { first_text_ms: null, reasoning_ms: null }

type Options = {
  db: Db
  log: Log
  settle: (request: SettlementRequest) => Promise<boolean>
  host_id: string
  exclusive: boolean
}

/**
 * Ends runs whose process died: what their stream log has is kept and charged, and they read as interrupted. Where
 * this process is the only one, all that it finds at the start; else those whose process fell silent.
 */
export function createSweeper({ db, log, settle, host_id, exclusive }: Options) {
  let timer: NodeJS.Timeout | null = null
  let rounds = 0

  const settleOrphans = async (silent_s: number): Promise<void> => {
    for (const run of await listOrphanedRuns(db, silent_s)) {
      const { text, reasoning } = await readStreamLog(db, run.id)
      const outcome = { state: 'interrupted', code: 'interrupted', text } as const
      const { platform, prices } = run
      // Nothing is charged here for what was thought: the rule counts the text that stayed.
      const metered = await meterRun(run, { usage: null, text, reasoning: '' })
      const said = { reasoning, tool_calls: [], finish: null }
      const billable = text !== ''
      const result = {
        outcome,
        said,
        produced: billable,
        unsaved: null,
        platform,
        prices,
        metered,
        flagged: null,
      }
      await settle({ run, result: { ...result, attempts: [] }, first_text_at: null, timing: UNKNOWN_TIMING })
      log.warn({ run_id: run.id, kind: run.kind, characters: text.length }, 'run interrupted')
    }
  }

  const runRound = async (): Promise<void> => {
    try {
      await touchHost(db, host_id)
      await settleOrphans(DEAD_AFTER_S)
      if (rounds++ % 12 === 0) await deleteExpiredRows(db)
    } catch (err) {
      log.error({ err }, 'looking after runs failed')
    }
    timer = setTimeout(() => void runRound(), SWEEP_INTERVAL_MS).unref()
  }

  return {
    async start(): Promise<void> {
      if (exclusive) await settleOrphans(0)
      timer = setTimeout(() => void runRound(), SWEEP_INTERVAL_MS).unref()
    },
    stop(): void {
      if (timer) clearTimeout(timer)
    },
  }
}
