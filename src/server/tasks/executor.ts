import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toAppError } from '#server/core/app-error.ts'
import { isDatabaseAway } from '#server/core/database/connection-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { Log } from '#server/core/log.ts'
import { planDelay } from './delays.ts'
import type { Kinds, TaskExecution } from './kinds.ts'
import * as store from './store.ts'
import type { ClaimedTask, ExecutedTask, TaskEnd } from './store.ts'

/** Most tasks that a process executes at a time, and most of one person in all processes together. */
type TaskLimits = { max_running: number; max_per_user: number }
const DEFAULT_LIMITS: TaskLimits = { max_running: 4, max_per_user: 2 }

/** Seconds without a heartbeat after which a task is taken over. */
const DEAD_AFTER_S = 15
const HEARTBEAT_MS = 5_000
/** After this many starts without a finished part a task fails: it probably kills its process. */
const MAX_STARTS = 3

export type ExecutorOptions = {
  db: Db
  log: Log
  /** No other process can use the database, so tasks running there at the start are orphaned. */
  exclusive: boolean
  /** Called for every task executed to its end, in the transaction that ends it. */
  onExecuted?: (tx: Db, task: ExecutedTask, end: TaskEnd) => Promise<void>
  limits?: Partial<TaskLimits>
}

type Running = { abort: AbortController; completion: Promise<void> }

/** Claims waiting tasks as soon as there is room, executes them, and takes over those of dead processes. */
export function createExecutor({
  db,
  log,
  exclusive,
  onExecuted,
  limits,
  kinds,
}: ExecutorOptions & { kinds: Kinds }) {
  const { max_running, max_per_user } = { ...DEFAULT_LIMITS, ...limits }
  const running = new Map<string, Running>()
  let claiming: Promise<void> | null = null
  let isWoken = false
  let isStarted = false
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | null = null

  const endTask = async (executionId: string, task: ClaimedTask, end: TaskEnd): Promise<boolean> =>
    db.transaction(async (tx) => {
      const executed = await store.endTask(tx, executionId, end)
      if (!executed) return false
      await kinds.notifyEnd(tx, task, end)
      await onExecuted?.(tx, executed, end)
      return true
    })

  const execute = async (task: ClaimedTask, executionId: string, abort: AbortController): Promise<void> => {
    let { delays } = task
    try {
      const match = kinds.find(task)
      if (!match) throw new Error('the task is of another version')
      const execution: TaskExecution<unknown> = {
        ...match.task,
        payload: match.payload,
        done: task.done,
        signal: abort.signal,
        async saveProgress(tx, { cost = 0n, ...progress }) {
          // A finished part ends a row of delays.
          if (progress.done > task.done) delays = 0
          if (await store.updateProgress(tx, executionId, { ...progress, cost })) return
          abort.abort(new LostTask())
          throw new LostTask()
        },
      }
      await match.kind.execute(execution)
      await endTask(executionId, task, { state: 'done', code: null })
    } catch (error) {
      await waitForDatabase(() => settleFailure({ ...task, delays }, executionId, abort.signal, error))
    }
  }

  /** Repeats a write while the database is away, until the server stops. */
  const waitForDatabase = async (write: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isStarted || !isDatabaseAway(error)) throw error
        await sleep(HEARTBEAT_MS, null, { signal: stopping.signal, ref: false }).catch(() => null)
      }
    }
  }

  const settleFailure = async (
    task: ClaimedTask,
    executionId: string,
    { reason }: AbortSignal,
    error: unknown,
  ): Promise<void> => {
    if (error instanceof LostTask || reason instanceof LostTask) return
    if (reason instanceof ServerStops) return store.releaseTask(db, executionId, task.starts - 1)
    if (reason instanceof TaskCancelled) {
      await endTask(executionId, task, { state: 'cancelled', code: null })
      return
    }
    const { code } = toAppError(error)
    const { id, kind, delays, starts } = task
    const seconds = planDelay(code, delays)
    if (seconds !== null) {
      log.warn({ err: error, task_id: id, kind, code, seconds }, 'task delayed')
      const delay = { code, seconds, delays: delays + 1, starts: starts - 1 }
      return store.delayTask(db, executionId, delay)
    }
    if (!(error instanceof AppError)) log.error({ err: error, task_id: id, kind }, 'task failed')
    await endTask(executionId, task, { state: 'failed', code })
  }

  const startNext = async (): Promise<boolean> => {
    const names = kinds.listNames()
    if (running.size >= max_running || !names.length) return false
    const executionId = createId()
    const task = await store.claimTask(db, { kinds: names, max_per_user, execution_id: executionId })
    if (!task) return false
    const abort = new AbortController()
    const completion = execute(task, executionId, abort)
      // The database is away; the sweep finds the task when it is back.
      .catch((err: unknown) => log.error({ err, task_id: task.id }, 'the end of a task could not be stored'))
      .then(() => {
        running.delete(executionId)
        wake()
      })
    running.set(executionId, { abort, completion })
    return true
  }

  const claimAll = async (): Promise<void> => {
    while (isWoken && isStarted) {
      isWoken = false
      try {
        while (isStarted && (await startNext()));
      } catch (err) {
        log.error({ err }, 'claiming tasks failed')
      }
    }
  }

  /** Starts as many tasks as there is room for. */
  const wake = (): void => {
    isWoken = true
    if (!isStarted) return
    claiming ??= claimAll().finally(() => {
      claiming = null
      if (isWoken && isStarted) wake()
    })
  }

  const recoverOrphans = async (silentS: number): Promise<void> => {
    for (const task of await store.listOrphanedTasks(db, silentS)) {
      const { id: taskId, kind, execution_id, starts, cancelled } = task
      log.warn({ task_id: taskId, kind, starts }, 'task interrupted')
      if (cancelled) await endTask(execution_id, task, { state: 'cancelled', code: null })
      else if (starts >= MAX_STARTS) {
        await endTask(execution_id, task, { state: 'failed', code: 'task_interrupted' })
      } else await store.releaseTask(db, execution_id, starts)
    }
    wake()
  }

  /** Aborts this process's cancelled and lost executions, and returns them. */
  const abortCancelled = async (): Promise<Running[]> => {
    const ids = [...running.keys()]
    const alive = ids.length ? await store.touchExecutions(db, ids) : new Set()
    // Only those checked: more may have started meanwhile.
    const cancelled = ids.flatMap((id) => (alive.has(id) ? [] : (running.get(id) ?? [])))
    for (const { abort } of cancelled) abort.abort(new TaskCancelled())
    return cancelled
  }

  const runRound = async (): Promise<void> => {
    try {
      await abortCancelled()
      await recoverOrphans(DEAD_AFTER_S)
    } catch (err) {
      log.error({ err }, 'looking after tasks failed')
    }
    if (isStarted) timer = setTimeout(() => void runRound(), HEARTBEAT_MS).unref()
  }

  /** Aborts this process's cancelled and lost executions, and waits for their end. */
  const stopCancelled = async (): Promise<void> => {
    await Promise.all((await abortCancelled()).map(({ completion }) => completion))
  }

  /** Starts working, with the tasks of earlier processes first. */
  const start = async (): Promise<void> => {
    isStarted = true
    await recoverOrphans(exclusive ? 0 : DEAD_AFTER_S)
    timer = setTimeout(() => void runRound(), HEARTBEAT_MS).unref()
  }

  /** Stops, and releases running tasks to the next process. */
  const stop = async (): Promise<void> => {
    isStarted = false
    stopping.abort()
    if (timer) clearTimeout(timer)
    await claiming
    for (const { abort } of running.values()) abort.abort(new ServerStops())
    await Promise.all([...running.values()].map(({ completion }) => completion))
  }

  return { wake, stopCancelled, start, stop }
}

/** Reasons for stopping an execution. */
class TaskCancelled extends Error {}
class ServerStops extends Error {}
class LostTask extends Error {}
