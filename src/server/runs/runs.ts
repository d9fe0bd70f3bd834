import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../core/app-error.ts'
import { openBatch } from '../core/batch.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import type { Llm } from '../llm/llm.ts'
import { driveWork } from './drive-work.ts'
import { drive } from './drive.ts'
import type { Sink } from './drive.ts'
import { endedOf, openFinish } from './finish.ts'
import type { Ended, Kind, OnEnd } from './finish.ts'
import { LiveRun } from './live-run.ts'
import type { Outcome, Position, RunEvent, ThoughtEvent } from './live-run.ts'
import { openAll, planRun } from './open.ts'
import type { Held, Planned, RunRequest } from './open.ts'
import { insertChunks, keepPlatform, readRoute, runEnd, storedSaid, touchHost } from './store.ts'
import type { RunRow } from './store.ts'
import { openStreamLog } from './stream-log.ts'
import { openSweeper } from './sweeper.ts'

export type { Preparation } from './open.ts'

/** A run that is held and recorded. Start it after the commit, in one of two ways; forget it after a rollback. */
export type OpenedRun = {
  run_id: string
  platform: string
  /** Its text goes into the stream log, and to everyone who attaches. */
  start(): void
  /**
   * Its answer goes to `sink` and nowhere else: no stream log, nobody can attach. Resolves when it is settled, with how
   * it ended; never rejects.
   */
  relay(sink: Exclude<Sink, { to: 'log' }>): Promise<Ended>
}

/** How often a run that another process drives is looked at, ms. */
const POLL_MS = 300

export type Runs = ReturnType<typeof openRuns>

type Options = {
  db: Db
  llm: Llm
  log: Log
  /** What each feature does when runs of its kind end. */
  kinds: Record<string, Kind>
  /** No other process can use the database, so what runs there at the start is orphaned. */
  exclusive: boolean
}

/** The one pipe of all doors: hold, route, stream log, settle, record. */
export function openRuns({ db, llm, log, kinds, exclusive }: Options) {
  const host_id = newId()
  const live = new Map<string, { run: LiveRun; ended: Promise<Ended> }>()
  const streamLog = openStreamLog((chunks) => insertChunks(db, chunks), log)
  const onEndOf = ({ id, kind }: RunRow): OnEnd | null => {
    const onEnd = kinds[kind]
    if (!onEnd) throw new Error(`no kind of run is called ${kind}`)
    return onEnd(id)
  }
  const finish = openFinish(db, onEndOf, log)
  const sweeper = openSweeper({ db, log, finish, host_id, exclusive })
  const openTogether = openBatch((planned: Planned[]) => openAll(db, planned, host_id))

  const opened = (held: Held | AppError): OpenedRun => {
    if (held instanceof AppError) throw held
    const { id: run_id, platform } = held.row
    return {
      run_id,
      platform,
      start: () => void start(held, { to: 'log', streamLog }),
      relay: (sink) => start(held, sink),
    }
  }

  const start = async (held: Held, sink: Sink): Promise<Ended> => {
    const run = new LiveRun(held.row.id, Date.now())
    const onSwitch: Parameters<typeof drive>[0]['onSwitch'] = (platform, prices) =>
      keepPlatform(db, run.run_id, platform, prices)
    const shared = { run, llm, sink, log, onSwitch }
    const driving = 'work' in held ? driveWork({ ...shared, held }) : drive({ ...shared, held })
    const ended = driving.then(async (driven): Promise<Ended> => {
      const { first_text_at, first_text_ms, reasoning_ms } = run
      const times = { first_text_ms, reasoning_ms }
      const mine = await finish({ run: held.row, driven, first_text_at, times })
      // Another process took this one for dead and ended the run: its readers are told the same as all others.
      const outcome: Outcome = mine
        ? driven.outcome
        : { state: 'interrupted', code: 'interrupted', text: run.text }
      run.end(outcome, mine ? driven.said.reasoning : run.reasoning)
      live.delete(run.run_id)
      return endedOf(held.row, { ...driven, outcome })
    })
    live.set(run.run_id, { run, ended })
    return ended
  }

  const watch = async function* (
    run_id: string,
    after: Position,
    signal: AbortSignal,
  ): AsyncGenerator<ThoughtEvent> {
    const here = live.get(run_id)?.run
    if (here) return yield* here.read(after, signal)
    const mirror = new LiveRun(run_id)
    void follow(db, log, mirror, signal)
    yield* mirror.read(after, signal)
  }

  return {
    /** Opens a run within the caller's transaction. Throws AppError: not available, not affordable. */
    async open(tx: Db, request: RunRequest): Promise<OpenedRun> {
      const [held] = await openAll(tx, [planRun(llm, request)], host_id)
      return opened(held!)
    },

    /** Opens a run in a transaction shared with all that are opened at about the same moment. Throws the same. */
    async openGrouped(request: RunRequest): Promise<OpenedRun> {
      return opened(await openTogether(planRun(llm, request)))
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
    async soFar(run_id: string): Promise<{ text: string; reasoning: string }> {
      return live.get(run_id)?.run ?? (await storedSaid(db, run_id))
    },

    /** Which platforms were considered and asked for a run, and its bill. */
    explain: (run_id: string) => readRoute(db, run_id),

    /** Stops a run and resolves when it has ended. False when this process does not drive it. */
    async cancel(run_id: string): Promise<boolean> {
      const entry = live.get(run_id)
      if (!entry) return false
      entry.run.cancelled = true
      entry.run.abort.abort()
      await entry.ended
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
      for (const { run } of live.values()) run.abort.abort()
      await Promise.all([...live.values()].map(({ ended }) => ended))
    },
  }
}

/** Mirrors a run that another process drives, by looking at its stream log. */
async function follow(db: Db, log: Log, mirror: LiveRun, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !mirror.outcome) {
    try {
      await look(db, mirror)
    } catch (err) {
      log.error({ err, run_id: mirror.run_id }, 'following a run failed, trying again')
    }
    await sleep(POLL_MS)
  }
}

async function look(db: Db, mirror: LiveRun): Promise<void> {
  // The end is looked at before the text, so that no text can come between the two.
  const end = await runEnd(db, mirror.run_id)
  const { text, reasoning } = await storedSaid(db, mirror.run_id)
  const thought = reasoning.slice(mirror.reasoning.length)
  if (!text.startsWith(mirror.text)) mirror.publish(text, true, thought)
  else if (text !== mirror.text || thought) mirror.publish(text.slice(mirror.text.length), false, thought)
  if (end !== null) mirror.end({ ...(end ?? { state: 'failed', code: 'internal' }), text })
}
