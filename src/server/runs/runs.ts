import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#server/core/app-error.ts'
import { createBatcher } from '#server/core/batch.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import type { Log } from '#server/core/log.ts'
import { returnGiven } from '#server/ledger/ledger.ts'
import type { Llm } from '#server/llm/llm.ts'
import {
  countGiven,
  createHeldRuns,
  estimateRun,
  explainRefusal,
  findUnusedGiven,
  holdInFull,
  planRun,
} from './create-run.ts'
import type { ChatRunRequest, HeldRun, PlannedRun, RunEstimate, RunRequest } from './create-run.ts'
import { executeChatRun } from './execute-chat.ts'
import { executeOperationRun } from './execute-operation.ts'
import type { ExecuteOptions, RunOutput } from './execution.ts'
import { createFreeStops } from './free-stops.ts'
import { createHeartbeat } from './heartbeat.ts'
import { LiveRun } from './live-run.ts'
import type { RunEvent, StreamPosition } from './live-run.ts'
import type { RunResult, RunText, SettledRun } from './result.ts'
import { createSettleRun, toSettledRun } from './settle.ts'
import type { CompletionHooks } from './settle.ts'
import {
  requestStop,
  findRoute,
  findRunEnd,
  insertChunks,
  listAskedToStop,
  listRunningIds,
  readStreamLog,
  updatePlatform,
} from './store.ts'
import { createStreamLog } from './stream-log.ts'
import { createSweeper } from './sweeper.ts'

// The only entry point of runs, types included.
export { estimateInputTokens } from './create-run.ts'
export type { ChatRunRequest, Payer, PromptPreparation, RunEstimate, RunRequest } from './create-run.ts'
export type { OutputPart } from './execution.ts'
export {
  claimIdempotencyKey,
  completeIdempotencyKey,
  findCachedResult,
  saveCachedResult,
} from './idempotency.ts'
export type { RunEvent, StreamPosition } from './live-run.ts'
export type { OutputGuard, TextFilter } from './output-guard.ts'
export type { OperationOutput, RunResult, SettledRun } from './result.ts'
export type { CompletionHook, CompletionHooks } from './settle.ts'
export type { RunKind } from './tables.ts'
export { deleteStreamLogs, isRunning, joinRun, runStateColumns, runSubjectColumn } from './store.ts'

/** A run that is held and recorded. Start it after the commit, in one of two ways; drop it after a rollback. */
export type RunHandle = {
  run_id: string
  platform: string
  /** Sends the text to the stream log, and to all readers who attach. */
  start(): void
  /**
   * Sends the response to `output` only: no stream log, and nobody can attach. `signal` stops the run, even if aborted before.
   * Resolves when the run is settled; never rejects.
   */
  executeTo(output: Exclude<RunOutput, { type: 'log' }>, signal?: AbortSignal): Promise<SettledRun>
}

/** Milliseconds between two checks of a run that another process executes. */
const POLL_MS = 300
/** Longest wait for runs that other processes were asked to stop, ms; they check every few seconds. */
const STOP_ELSEWHERE_MS = 15_000
/** Longer than a caller that saw a run running takes to learn from the database that it has ended, ms. */
const REASON_KEPT_MS = 10_000

export type Runs = ReturnType<typeof createRuns>

type Options = {
  db: Db
  llm: Llm
  log: Log
  completion_hooks: CompletionHooks
  /** No other process can use the database, so runs found there at the start are orphaned. */
  exclusive: boolean
  /** Micro-coins that the operator gives a day: for guests, for titles, and as first coins. */
  max_given: bigint
  alert: LimitAlerts
}

/** The only way to use models: hold, route, execute, log the stream, settle, record. */
export function createRuns({ db, llm, log, completion_hooks, exclusive, max_given, alert }: Options) {
  const hostId = createId()
  const givenLimit = { max_given, alert }
  const liveRuns = new Map<string, { run: LiveRun; settled: Promise<SettledRun> }>()
  /** Platforms' reasons for failed runs of this process: the database, which may tell callers of the end, does not store them. */
  const reasons = new Map<string, Pick<RunResult, 'retry_after' | 'rejection'>>()
  const keepReason = (runId: string, { retry_after, rejection }: RunResult): void => {
    if (retry_after === undefined && !rejection) return
    reasons.set(runId, { retry_after, rejection })
    setTimeout(() => reasons.delete(runId), REASON_KEPT_MS).unref()
  }
  const readLog = (runId: string): Promise<RunText> => readStreamLog(db, runId)
  const streamLog = createStreamLog({ write: (chunks) => insertChunks(db, chunks), read: readLog, log })
  const freeStops = createFreeStops()
  const stopping = new AbortController()
  const settleRun = createSettleRun({ db, completion_hooks, log, stopping: stopping.signal })
  const heartbeat = createHeartbeat({ db, log, host_id: hostId })
  const sweeper = createSweeper({
    db,
    log,
    settleRun,
    stopAsked: async () => {
      // Not awaited: a run that cannot be settled would hold up all others.
      for (const runId of await listAskedToStop(db, hostId)) stopLive(runId)
    },
    listLive: () => [...liveRuns.keys()],
    canJudgeOthers: () => heartbeat.canJudgeOthers(),
    host_id: hostId,
    exclusive,
  })
  const holdBatched = createBatcher((planned: PlannedRun[]) => createHeldRuns(db, planned, hostId))

  const toHandle = (heldRun: HeldRun | AppError): RunHandle => {
    if (heldRun instanceof AppError) throw heldRun
    const { id: runId, platform } = heldRun.row
    return {
      run_id: runId,
      platform,
      start: () => void startRun(heldRun, { type: 'log', streamLog }),
      async executeTo(output, signal) {
        const settled = startRun(heldRun, output)
        const stop = (): void => stopLive(runId)
        signal?.addEventListener('abort', stop, { once: true })
        if (signal?.aborted) stop()
        await settled
        signal?.removeEventListener('abort', stop)
        return settled
      },
    }
  }

  const startRun = (heldRun: HeldRun, output: RunOutput): Promise<SettledRun> => {
    const { id: runId } = heldRun.row
    const run = new LiveRun(runId, { started_at_ms: Date.now(), readLog: () => readLog(runId) })
    const onPlatformSwitch: ExecuteOptions<HeldRun>['onPlatformSwitch'] = (platform, prices) =>
      updatePlatform(db, runId, platform, prices)
    const settled = executeRun({ run, held_run: heldRun, llm, output, log, onPlatformSwitch }).then(
      async (result) => {
        keepReason(runId, result)
        const { first_text_at, first_text_ms, reasoning_ms } = run
        const timing = { first_text_ms, reasoning_ms, duration_ms: run.measureDuration() }
        const isFreeStop = result.state === 'cancelled' && !result.billable && result.attempts.length > 0
        if (isFreeStop) freeStops.record(heldRun.row.user_id)
        const onSettled = 'prompt' in heldRun ? heldRun.request.onSettled : undefined
        const request = { run: heldRun.row, result, first_text_at, timing, onSettled }
        const leaveToNextStart = (err: unknown): null => {
          log.error({ err, run_id: runId }, 'run could not be settled, left to the sweeper')
          return null
        }
        const settledRun =
          (await settleRun(request).catch(leaveToNextStart)) ??
          toSettledRun({ ...request, result: toInterruptedResult(result, run.whole!) }, 0n)
        const { result: settledResult } = settledRun
        const unused = findUnusedGiven(heldRun, settledResult)
        if (unused)
          await returnGiven(db, unused).catch((err: unknown) =>
            log.warn({ err, run_id: runId }, 'what was not given stays counted'),
          )
        if (settledResult.note) run.setNote(settledResult.note)
        if (output.type === 'log') run.complete(settledResult, settledResult.response.reasoning)
        // Nobody attaches to other outputs for their text.
        else run.complete({ ...toEnd(settledResult), text: '' })
        liveRuns.delete(runId)
        return settledRun
      },
    )
    liveRuns.set(runId, { run, settled })
    return settled
  }

  const watch = (runId: string, after: StreamPosition, signal: AbortSignal): AsyncGenerator<RunEvent> => {
    const liveRun = liveRuns.get(runId)?.run
    if (liveRun) return liveRun.read(after, signal)
    const mirror = new LiveRun(runId)
    void followStreamLog(db, log, mirror, signal)
    return mirror.read(after, signal)
  }

  const waitForEnd = async (
    runId: string,
    signal: AbortSignal,
  ): Promise<Extract<RunEvent, { type: 'end' }> | null> => {
    for await (const event of watch(runId, { text: 0, reasoning: 0 }, signal)) {
      if (event.type === 'end') return { ...event, ...reasons.get(runId) }
    }
    return null
  }

  /** Stops a run if this process executes it. */
  const stopLive = (runId: string): void => {
    const live = liveRuns.get(runId)
    if (!live) return
    live.run.cancelled = true
    live.run.abort.abort()
  }

  /** Stops a run. Resolves when it has ended, or when the process that executes it was asked to stop it. */
  const cancel = async (runId: string): Promise<void> => {
    const live = liveRuns.get(runId)
    if (!live) return requestStop(db, runId)
    stopLive(runId)
    await live.settled
  }

  return {
    /** Creates a run in the caller's transaction. Throws AppError: not available, not affordable, stopped too often. */
    async create(tx: Db, request: RunRequest): Promise<RunHandle> {
      freeStops.check(request.user_id)
      const planned = planRun(llm, request)
      const [heldRun] = await createHeldRuns(tx, [planned], hostId)
      if (heldRun instanceof AppError) throw await explainRefusal(tx, [planned], [heldRun], heldRun)
      await countGiven(tx, [planned], givenLimit)
      return toHandle(heldRun!)
    },

    /**
     * Creates several runs of one account in the caller's transaction, each held in full: all of them, or none with the AppError
     * of `create`.
     */
    async createTogether(tx: Db, requests: ChatRunRequest[]): Promise<RunHandle[]> {
      freeStops.check(requests[0]!.user_id)
      const planned = requests.map((request) => holdInFull(planRun(llm, request)))
      const heldRuns = await createHeldRuns(tx, planned, hostId)
      const refusal = heldRuns.find((one) => one instanceof AppError)
      if (refusal) throw await explainRefusal(tx, planned, heldRuns, refusal)
      await countGiven(tx, planned, givenLimit)
      return heldRuns.map(toHandle)
    },

    /** Estimates the cost of a run with an answer of so many tokens, and its hold. Throws AppError model_unavailable. */
    estimate: (request: ChatRunRequest, outputTokens: number): RunEstimate =>
      estimateRun(llm, request, outputTokens),

    /** Creates a run in a transaction shared with others that are created at about the same moment. Throws as `create` does. */
    async createBatched(request: RunRequest): Promise<RunHandle> {
      freeStops.check(request.user_id)
      const planned = planRun(llm, request)
      await countGiven(db, [planned], givenLimit)
      try {
        return toHandle(await holdBatched(planned))
      } catch (error) {
        if (planned.given_coins?.amount) await returnGiven(db, planned.given_coins)
        throw error
      }
    },

    /** Yields everything of a run after a position, then new events, until it ends or `signal` aborts. */
    watch,

    /** Waits for the end of a run; null when `signal` aborts before. */
    waitForEnd,

    /** Returns text and reasoning of a running run so far. */
    async partialOutput(runId: string): Promise<RunText> {
      return liveRuns.get(runId)?.run.whole ?? readLog(runId)
    },

    /** Returns the platforms considered and called for a run, and its bill. */
    explain: (runId: string) => findRoute(db, runId),

    cancel,

    /**
     * Stops the runs of a user, and resolves when all have ended; runs of a process that does not respond are left to end as
     * interrupted.
     */
    async cancelAll(userId: string): Promise<void> {
      const signal = AbortSignal.timeout(STOP_ELSEWHERE_MS)
      const stop = async (runId: string): Promise<void> => {
        await cancel(runId)
        await waitForEnd(runId, signal)
      }
      await Promise.all((await listRunningIds(db, userId)).map(stop))
    },

    /** Settles runs that earlier processes left running, and starts to watch the others. */
    async recover(): Promise<void> {
      await heartbeat.start()
      await sweeper.start()
    },

    /** Ends every run as interrupted: its output so far is kept and charged, if need be at the next start. */
    async stop(): Promise<void> {
      sweeper.stop()
      stopping.abort()
      for (const { run } of liveRuns.values()) run.abort.abort()
      await Promise.all([...liveRuns.values()].map(({ settled }) => settled))
      heartbeat.stop()
    },
  }
}

const executeRun = ({ held_run, ...options }: ExecuteOptions<HeldRun>): Promise<RunResult> =>
  'operation' in held_run
    ? executeOperationRun({ ...options, held_run })
    : executeChatRun({ ...options, held_run })

const toEnd = ({ state, code, retry_after, rejection }: RunResult) => ({
  state,
  code,
  retry_after,
  rejection,
})

/** Another process settled the run, or the next one will: all readers get the same end. */
const toInterruptedResult = (result: RunResult, { text, reasoning }: RunText): RunResult => ({
  ...result,
  state: 'interrupted',
  code: 'interrupted',
  retry_after: undefined,
  text,
  response: { ...result.response, reasoning },
})

/** Mirrors a run that another process executes, by polling its stream log. */
async function followStreamLog(db: Db, log: Log, mirror: LiveRun, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !mirror.end) {
    try {
      await pollStreamLog(db, mirror)
    } catch (err) {
      log.error({ err, run_id: mirror.run_id }, 'following a run failed, trying again')
    }
    await sleep(POLL_MS)
  }
}

async function pollStreamLog(db: Db, mirror: LiveRun): Promise<void> {
  // The end is read before the text, so that no text can come between the two.
  const end = await findRunEnd(db, mirror.run_id)
  const { text, reasoning, replaced } = await readStreamLog(db, mirror.run_id)
  const shownTexts = mirror.whole!
  const newReasoning = reasoning.slice(shownTexts.reasoning.length)
  // A returning reader may have read a text that was replaced before this process began to follow the run.
  const isReplaced = shownTexts.text ? !text.startsWith(shownTexts.text) : replaced && text !== ''
  if (isReplaced) mirror.publish(text, true, newReasoning)
  else if (text !== shownTexts.text || newReasoning)
    mirror.publish(text.slice(shownTexts.text.length), false, newReasoning)
  if (end !== null) mirror.complete({ ...(end ?? { state: 'failed', code: 'internal' }), text })
}
