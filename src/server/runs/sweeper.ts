import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import type { Finished, Times } from './finish.ts'
import { meter } from './meter.ts'
import { orphanedRuns, storedSaid, sweep, touchHost } from './store.ts'

/** A process without a sign of life for this long is dead, seconds. */
const DEAD_AFTER_S = 15
const EVERY_MS = 5_000
const UNKNOWN: Times = { first_text_ms: null, reasoning_ms: null }

type Options = {
  db: Db
  log: Log
  finish: (finished: Finished) => Promise<boolean>
  host_id: string
  exclusive: boolean
}

/**
 * Ends runs whose process died: what their stream log has is kept and charged, and they read as interrupted. Where
 * this process is the only one, all that it finds at the start; else those whose process fell silent.
 */
export function openSweeper({ db, log, finish, host_id, exclusive }: Options) {
  let timer: NodeJS.Timeout | null = null
  let rounds = 0

  const interrupt = async (silent_s: number): Promise<void> => {
    for (const run of await orphanedRuns(db, silent_s)) {
      const { text, reasoning } = await storedSaid(db, run.id)
      const outcome = { state: 'interrupted', code: 'interrupted', text } as const
      const { platform, prices } = run
      // Nothing is charged here for what was thought: the rule counts the text that stayed.
      const metered = await meter(run, { usage: null, text, reasoning: '' })
      const said = { reasoning, tool_calls: [], finish: null }
      const produced = text !== ''
      const ended = { outcome, said, produced, rest: null, platform, prices, metered, flagged: null }
      await finish({ run, driven: { ...ended, attempts: [] }, first_text_at: null, times: UNKNOWN })
      log.warn({ run_id: run.id, kind: run.kind, characters: text.length }, 'run interrupted')
    }
  }

  const round = async (): Promise<void> => {
    try {
      await touchHost(db, host_id)
      await interrupt(DEAD_AFTER_S)
      if (rounds++ % 12 === 0) await sweep(db)
    } catch (err) {
      log.error({ err }, 'looking after runs failed')
    }
    timer = setTimeout(() => void round(), EVERY_MS).unref()
  }

  return {
    async start(): Promise<void> {
      if (exclusive) await interrupt(0)
      timer = setTimeout(() => void round(), EVERY_MS).unref()
    },
    stop(): void {
      if (timer) clearTimeout(timer)
    },
  }
}
