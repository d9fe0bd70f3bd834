import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../core/app-error.ts'
import { createBatcher } from '../core/batch.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '../core/log.ts'
import type { Llm } from '#server/llm/llm.ts'
import { executeOperationRun } from './execute-operation.ts'
import { executeChatRun } from './execute-chat.ts'
import type { RunOutput } from './execute-chat.ts'
import { toSettledRun, createSettle } from './settle.ts'
import type { SettledRun, RunKindHandler, SettledRunsHook } from './settle.ts'
import { LiveRun } from './live-run.ts'
import type { RunOutcome, StreamPosition, RunEvent, RunStreamEvent } from './live-run.ts'
import { createHeldRuns, planRun } from './create-run.ts'
import type { HeldRun, PlannedRun, RunRequest } from './create-run.ts'
import { insertChunks, updatePlatform, findRoute, findRunOutcome, readStreamLog, touchHost } from './store.ts'
import type { RunRow } from './store.ts'
import { createStreamLog } from './stream-log.ts'
import { createSweeper } from './sweeper.ts'

export type { PromptPreparation as Preparation } from './create-run.ts'

/** A run that is held and recorded. Start it after the commit, in one of two ways; forget it after a rollback. */
export type RunHandle = {
  run_id: string
  platform: string
  /** Its text goes into the stream log, and to everyone who attaches. */
  start(): void
  /**
   * Its answer goes to `sink` and nowhere else: no stream log, nobody can attach. Resolves when it is settled, with how
   * it ended; never rejects.
   */
  executeTo(output: Exclude<RunOutput, { to: 'log' }>): Promise<SettledRun>
}

/** How often a run that another process drives is looked at, ms. */
const POLL_MS = 300

export type Runs = ReturnType<typeof createRuns>

type Options = {
  db: Db
  llm: Llm
  log: Log
  /** What each feature does when runs of its kind end. */
  kinds: Record<string, RunKindHandler>
  /** No other process can use the database, so what runs there at the start is orphaned. */
  exclusive: boolean
}

/** The one pipe of all doors: hold, route, stream log, settle, record. */
export function createRuns({ db, llm, log, kinds, exclusive }: Options) {
  const host_id = createId()
  const live_runs = new Map<string, { run: LiveRun; settled: Promise<SettledRun> }>()
  const streamLog = createStreamLog((chunks) => insertChunks(db, chunks), log)
  const findHook = ({ id, kind }: RunRow): SettledRunsHook | null => {
    const hook = kinds[kind]
    if (!hook) throw new Error(`no kind of run is called ${kind}`)
    return hook(id)
  }
  const settle = createSettle(db, findHook, log)
  const sweeper = createSweeper({ db, log, settle, host_id, exclusive })
  const holdBatched = createBatcher((planned: PlannedRun[]) => createHeldRuns(db, planned, host_id))

  const toHandle = (held: HeldRun | AppError): RunHandle => {
    if (held instanceof AppError) throw held
    const { id: run_id, platform } = held.row
    return {
      run_id,
      platform,
      start: () => void start(held, { to: 'log', streamLog }),
      executeTo: (output) => start(held, output),
    }
  }

  const start = async (held: HeldRun, output: RunOutput): Promise<SettledRun> => {
    const run = new LiveRun(held.row.id, Date.now())
    const onPlatformSwitch: Parameters<typeof executeChatRun>[0]['onPlatformSwitch'] = (platform, prices) =>
      updatePlatform(db, run.run_id, platform, prices)
    const shared = { run, llm, output, log, onPlatformSwitch }
    const execution =
      'operation' in held ? executeOperationRun({ ...shared, held }) : executeChatRun({ ...shared, held })
    const settled = execution.then(async (result): Promise<SettledRun> => {
      const { first_text_at, first_text_ms, reasoning_ms } = run
      const timing = { first_text_ms, reasoning_ms }
      const settledHere = await settle({ run: held.row, result, first_text_at, timing })
      // Another process took this one for dead and ended the run: its readers are told the same as all others.
      const outcome: RunOutcome = settledHere
        ? result.outcome
        : { state: 'interrupted', code: 'interrupted', text: run.text }
      run.complete(outcome, settledHere ? result.said.reasoning : run.reasoning)
      live_runs.delete(run.run_id)
      return toSettledRun(held.row, { ...result, outcome })
    })
    live_runs.set(run.run_id, { run, settled })
    return settled
  }

  const watch = async function* (
    run_id: string,
    after: StreamPosition,
    signal: AbortSignal,
  ): AsyncGenerator<RunStreamEvent> {
    const liveRun = live_runs.get(run_id)?.run
    if (liveRun) return yield* liveRun.read(after, signal)
    const mirror = new LiveRun(run_id)
    void followStreamLog(db, log, mirror, signal)
    yield* mirror.read(after, signal)
  }

  return {
    /** Opens a run within the caller's transaction. Throws AppError: not available, not affordable. */
    async create(tx: Db, request: RunRequest): Promise<RunHandle> {
      const [held] = await createHeldRuns(tx, [planRun(llm, request)], host_id)
      return toHandle(held!)
    },

    /** Opens a run in a transaction shared with all that are opened at about the same moment. Throws the same. */
    async createBatched(request: RunRequest): Promise<RunHandle> {
      return toHandle(await holdBatched(planRun(llm, request)))
    },

    /** Everything of a run after `after` characters, then what comes, until it ends or `signal` aborts. */
    async *attach(run_id: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
      for await (const event of watch(run_id, { text: after, reasoning: 0 }, signal)) {
        if (event.type !== 'reasoning') yield event
      }
    },

    /** The same with what the run thinks. */
    watch,

    /** What a running run has said and thought so far. */
    async partialOutput(run_id: string): Promise<{ text: string; reasoning: string }> {
      return live_runs.get(run_id)?.run ?? (await readStreamLog(db, run_id))
    },

    /** Which platforms were considered and asked for a run, and its bill. */
    explain: (run_id: string) => findRoute(db, run_id),

    /** Stops a run and resolves when it has ended. False when this process does not drive it. */
    async cancel(run_id: string): Promise<boolean> {
      const entry = live_runs.get(run_id)
      if (!entry) return false
      entry.run.cancelled = true
      entry.run.abort.abort()
      await entry.settled
      return true
    },

    /** Ends what earlier processes left running, and begins to look after the others. */
    async recover(): Promise<void> {
      await touchHost(db, host_id)
      await sweeper.start()
    },

    /** Ends every run as interrupted: what was produced is kept and charged. */
    async stop(): Promise<void> {
      sweeper.stop()
      for (const { run } of live_runs.values()) run.abort.abort()
      await Promise.all([...live_runs.values()].map(({ settled: ended }) => ended))
    },
  }
}

/** Mirrors a run that another process drives, by looking at its stream log. */
async function followStreamLog(db: Db, log: Log, mirror: LiveRun, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !mirror.outcome) {
    try {
      await pollStreamLog(db, mirror)
    } catch (err) {
      log.error({ err, run_id: mirror.run_id }, 'following a run failed, trying again')
    }
    await sleep(POLL_MS)
  }
}

async function pollStreamLog(db: Db, mirror: LiveRun): Promise<void> {
  // The end is looked at before the text, so that no text can come between the two.
  const end = await findRunOutcome(db, mirror.run_id)
  const { text, reasoning } = await readStreamLog(db, mirror.run_id)
  const new_reasoning = reasoning.slice(mirror.reasoning.length)
  if (!text.startsWith(mirror.text)) mirror.publish(text, true, new_reasoning)
  else if (text !== mirror.text || new_reasoning)
    mirror.publish(text.slice(mirror.text.length), false, new_reasoning)
  if (end !== null) mirror.complete({ ...(end ?? { state: 'failed', code: 'internal' }), text })
}
