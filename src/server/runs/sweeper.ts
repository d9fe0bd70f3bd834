import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import { countUsage } from './execute-chat.ts'
import { DEAD_AFTER_S } from './heartbeat.ts'
import type { RunResult, SettledRun } from './result.ts'
import type { SettleRequest } from './settle.ts'
import { deleteExpiredRows, listOrphanedRuns, listOverdueRuns, parseRunRow, readStreamLog } from './store.ts'
import type { StoredRun } from './store.ts'

const SWEEP_INTERVAL_MS = 5_000

type Options = {
  db: Db
  log: Log
  settleRun: (request: SettleRequest, options: { once: boolean }) => Promise<SettledRun | null>
  /** Begins to stop the runs that other processes asked this one to stop. */
  stopAsked: () => Promise<void>
  /** Lists the runs that this process executes, each from its start until it is settled. */
  listLive: () => string[]
  /** Tells whether another process's silence means that it is dead. */
  canJudgeOthers: () => boolean
  host_id: string
  exclusive: boolean
}

/**
 * Settles runs whose process died: the output in their stream log is kept and charged, and they end as interrupted. At the start,
 * a process that is the only one settles all that it finds; later, runs whose process is silent. Also runs of this process that
 * it does not execute: their hold was committed although its reply got lost, or they could not be settled. A run that cannot be
 * settled is left to the next round, so that it delays neither the others nor the start.
 */
export function createSweeper({
  db,
  log,
  settleRun,
  stopAsked,
  listLive,
  canJudgeOthers,
  host_id,
  exclusive,
}: Options) {
  let timer: NodeJS.Timeout | null = null
  let rounds = 0

  const settleOrphan = async (orphan: StoredRun): Promise<void> => {
    const run = parseRunRow(orphan)
    const { text, reasoning } = await readStreamLog(db, run.id)
    const { platform, prices } = run
    const result: RunResult = {
      state: 'interrupted',
      code: 'interrupted',
      text,
      response: { reasoning, tool_calls: [], finish: null },
      billable: text !== '' || reasoning !== '',
      metered: await countUsage(run, { text, reasoning }),
      flagged: null,
      platform,
      prices,
      attempts: [],
    }
    const timing = { first_text_ms: null, reasoning_ms: null, duration_ms: null }
    const settled = await settleRun({ run, result, first_text_at: null, timing }, { once: true })
    if (settled) log.warn({ run_id: run.id, kind: run.kind, characters: text.length }, 'run interrupted')
  }

  const settleOrphans = async (orphans: StoredRun[]): Promise<void> => {
    for (const orphan of orphans) {
      await settleOrphan(orphan).catch((err: unknown) =>
        log.error({ err, run_id: orphan.id, kind: orphan.kind }, 'orphaned run could not be settled'),
      )
    }
  }

  const runRound = async (): Promise<void> => {
    try {
      await stopAsked()
      const silent = await listOrphanedRuns(db, host_id, DEAD_AFTER_S)
      // Checked after reading the list, which may have waited for the database.
      if (canJudgeOthers()) await settleOrphans(silent)
      await settleOrphans(await listOverdueRuns(db, host_id, listLive()))
      if (rounds++ % 12 === 0) await deleteExpiredRows(db)
    } catch (err) {
      log.error({ err }, 'sweeping runs failed')
    }
    timer = setTimeout(() => void runRound(), SWEEP_INTERVAL_MS).unref()
  }

  return {
    async start(): Promise<void> {
      if (exclusive) await settleOrphans(await listOrphanedRuns(db, host_id, 0))
      timer = setTimeout(() => void runRound(), SWEEP_INTERVAL_MS).unref()
    },
    stop(): void {
      if (timer) clearTimeout(timer)
    },
  }
}
