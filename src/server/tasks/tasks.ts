import type { z } from 'zod'
import { errors } from '#contract/errors.ts'
import type { Task as OwnTask, TaskResult } from '#contract/tasks/tasks.ts'
import { AppError, toAppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import type { Log } from '#server/core/log.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import * as store from './store.ts'
import type { ClaimedTask, ExecutedTask, OwnTaskRow, TaskEnd, TaskOwner, TaskRow } from './store.ts'

export { taskRoutes } from './routes.ts'
export type { ExecutedTask, TaskEnd } from './store.ts'

/** One execution of a task, for the part of the server that knows its kind. */
export type TaskExecution<Payload> = TaskOwner & {
  task_id: string
  payload: Payload
  /** Parts that earlier executions have finished. */
  done: number
  /** Aborts when somebody cancels the task, the server stops, or another process has taken it over. */
  signal: AbortSignal
  /**
   * Stores that parts are finished, what they cost (micro-coins), and what they came to if `tx` writes that too: after this,
   * as who deletes a task locks it before what it works on. Throws when this execution may not write any more.
   */
  saveProgress: (tx: Db, progress: { done: number; total: number | null; cost?: bigint }) => Promise<void>
}

/** A task that has ended, whose it was and who paid. */
export type EndedTask = TaskOwner & { task_id: string }

export type TaskKind<Payload> = {
  kind: string
  payload: z.ZodType<Payload>
  /**
   * Does the work, or what is left of it after `done` parts. May be started again after any moment. An AppError that it
   * throws is the reason that the task fails with.
   */
  execute(execution: TaskExecution<Payload>): Promise<void>
  /** Tells the feature how a task ended, in the transaction that ends it. */
  onEnd?(tx: Db, payload: Payload, end: TaskEnd, task: EndedTask): Promise<void>
  /**
   * Lets the feature wait for the task again, in the transaction that lets it go on. Throws AppError task_superseded where
   * another task has taken its place.
   */
  onRetry(tx: Db, payload: Payload, task: EndedTask): Promise<void>
  /** What it came to so far, for its owner; null where what it was for is deleted. `after`: behind that part of it. */
  readResult(task: EndedTask, payload: Payload, after: number): Promise<TaskResult | null>
}

export type Task = Omit<TaskRow, 'cost'> & {
  /** Micro-coins so far. */
  cost: bigint
}

/** Tasks of one kind, for the feature that defined it. */
export type TaskQueue<Payload> = {
  /** Creates a task in the caller's transaction; it is started after the commit. `name`: of what, for people. */
  create(tx: Db, owner: TaskOwner, payload: Payload, name: string): Promise<string>
  /** Looks for work at once: after a commit that created some, in the process that it was made in. */
  start(): void
}

export type Tasks = ReturnType<typeof createTasks>

/** Tasks that a process executes at a time, and those of one person in all processes together. */
export type TaskLimits = { max_running: number; max_per_user: number }
const DEFAULT_LIMITS: TaskLimits = { max_running: 4, max_per_user: 2 }

/** A task whose execution gave no sign of life for this long is taken over, seconds. */
const DEAD_AFTER_S = 15
const HEARTBEAT_MS = 5_000
/** A task that was started this often without finishing a part ends what executes it. */
const MAX_STARTS = 3
/** The job that tells every process that there is work. */
const JOB = 'tasks'

type Options = {
  db: Db
  jobs: JobQueue
  log: Log
  /** No other process can use the database, so what runs there at the start is orphaned. */
  exclusive: boolean
  /** Is told of every task that was executed to its end, in the transaction that ends it. */
  onExecuted?: (tx: Db, task: ExecutedTask, end: TaskEnd) => Promise<void>
  limits?: Partial<TaskLimits>
}

type AnyKind = TaskKind<unknown>
type Running = { abort: AbortController; ended: Promise<void> }

/**
 * Work outside of a request: it survives the process, reports how far it is, can be stopped, and goes on from its last
 * finished part. A job of the queue is no more than a wake-up; which task comes next is decided when there is room for one,
 * so that nobody's hundred tasks stand before somebody else's one.
 */
export function createTasks({ db, jobs, log, exclusive, onExecuted, limits }: Options) {
  const { max_running, max_per_user } = { ...DEFAULT_LIMITS, ...limits }
  const kinds = new Map<string, AnyKind>()
  const running = new Map<string, Running>()
  let claiming: Promise<void> | null = null
  let is_woken = false
  let is_started = false
  let timer: NodeJS.Timeout | null = null

  /** What knows a task's kind, with its payload; null for a kind of another version. */
  const findKind = ({
    id: task_id,
    user_id,
    account_id,
    budgets,
    kind: name,
    payload: stored,
  }: StoredTask) => {
    const kind = kinds.get(name)
    const payload = kind?.payload.safeParse(stored)
    return kind && payload?.success
      ? { kind, payload: payload.data, task: { task_id, user_id, account_id, budgets } }
      : null
  }

  const requireTask = async (user_id: string, id: string, tx: Db = db): Promise<OwnTaskRow> => {
    const row = await store.findOwnTask(tx, user_id, id)
    if (!row) throw new AppError('not_found')
    return row
  }

  const endTask = async (execution_id: string, task: ClaimedTask, end: TaskEnd): Promise<boolean> =>
    db.transaction(async (tx) => {
      const executed = await store.endTask(tx, execution_id, end)
      if (!executed) return false
      await notify(tx, task, end)
      await onExecuted?.(tx, executed, end)
      return true
    })

  const notify = async (tx: Db, task: ClaimedTask, end: TaskEnd): Promise<void> => {
    const found = findKind(task)
    await found?.kind.onEnd?.(tx, found.payload, end, found.task)
  }

  const execute = async (task: ClaimedTask, execution_id: string, abort: AbortController): Promise<void> => {
    const kind = kinds.get(task.kind)!
    try {
      const { id: task_id, user_id, account_id, budgets, done } = task
      const owner = { user_id, account_id, budgets }
      const execution: TaskExecution<unknown> = {
        task_id,
        done,
        ...owner,
        payload: kind.payload.parse(task.payload),
        signal: abort.signal,
        async saveProgress(tx, { cost = 0n, ...progress }) {
          if (await store.updateProgress(tx, execution_id, { ...progress, cost })) return
          abort.abort(new LostTask())
          throw new LostTask()
        },
      }
      await kind.execute(execution)
      await endTask(execution_id, task, { state: 'done', code: null })
    } catch (error) {
      await settleFailure(task, execution_id, abort.signal, error)
    }
  }

  const settleFailure = async (
    task: ClaimedTask,
    execution_id: string,
    { reason }: AbortSignal,
    error: unknown,
  ): Promise<void> => {
    if (error instanceof LostTask || reason instanceof LostTask) return
    if (reason instanceof ServerStops) return store.releaseTask(db, execution_id, task.starts - 1)
    if (reason instanceof TaskCancelled) {
      await endTask(execution_id, task, { state: 'cancelled', code: null })
      return
    }
    const { code } = toAppError(error)
    if (!(error instanceof AppError))
      log.error({ err: error, task_id: task.id, kind: task.kind }, 'task failed')
    await endTask(execution_id, task, { state: 'failed', code })
  }

  const startNext = async (): Promise<boolean> => {
    if (running.size >= max_running || !kinds.size) return false
    const execution_id = createId()
    const task = await store.claimTask(db, { kinds: [...kinds.keys()], max_per_user, execution_id })
    if (!task) return false
    const abort = new AbortController()
    const ended = execute(task, execution_id, abort)
      // The database is away: the sweep finds the task when it is back.
      .catch((err: unknown) => log.error({ err, task_id: task.id }, 'the end of a task could not be stored'))
      .then(() => {
        running.delete(execution_id)
        wake()
      })
    running.set(execution_id, { abort, ended })
    return true
  }

  const claimAll = async (): Promise<void> => {
    while (is_woken && is_started) {
      is_woken = false
      try {
        while (is_started && (await startNext()));
      } catch (err) {
        log.error({ err }, 'claiming tasks failed')
      }
    }
  }

  /** Starts what there is room for. */
  const wake = (): void => {
    is_woken = true
    if (!is_started) return
    claiming ??= claimAll().finally(() => {
      claiming = null
      if (is_woken && is_started) wake()
    })
  }

  const recoverOrphans = async (silent_s: number): Promise<void> => {
    for (const task of await store.listOrphanedTasks(db, silent_s)) {
      const { id: task_id, kind, execution_id, starts, cancelled } = task
      log.warn({ task_id, kind, starts }, 'task interrupted')
      if (cancelled) await endTask(execution_id, task, { state: 'cancelled', code: null })
      else if (starts >= MAX_STARTS) {
        await endTask(execution_id, task, { state: 'failed', code: 'task_interrupted' })
      } else await store.releaseTask(db, execution_id, starts)
    }
    wake()
  }

  const runRound = async (): Promise<void> => {
    try {
      const ids = [...running.keys()]
      const alive = ids.length ? await store.touchExecutions(db, ids) : new Set()
      for (const id of ids) {
        if (!alive.has(id)) running.get(id)?.abort.abort(new TaskCancelled())
      }
      await recoverOrphans(DEAD_AFTER_S)
    } catch (err) {
      log.error({ err }, 'looking after tasks failed')
    }
    if (is_started) timer = setTimeout(() => void runRound(), HEARTBEAT_MS).unref()
  }

  /** Stops a user's task; what it has finished stays. Nothing happens where it has ended. */
  const cancel = async (user_id: string, id: string): Promise<void> => {
    await db.transaction(async (tx) => {
      const ended = await store.cancelTask(tx, user_id, id)
      if (ended) await notify(tx, ended, { state: 'cancelled', code: null })
    })
    await stopCancelled()
  }

  /** Ends executions of this process that may not go on. */
  const stopCancelled = async (): Promise<void> => {
    const alive = await store.touchExecutions(db, [...running.keys()])
    const stopped = [...running].filter(([execution_id]) => !alive.has(execution_id))
    for (const [, { abort }] of stopped) abort.abort(new TaskCancelled())
    await Promise.all(stopped.map(([, { ended }]) => ended))
  }

  /** Lets a task that failed or was cancelled go on from its last finished part; false where it has not. */
  const retry = async (tx: Db, owner: TaskOwner, id: string): Promise<boolean> => {
    const is_waiting = await store.retryTask(tx, owner, id)
    if (is_waiting) await jobs.send(JOB, {}, { tx })
    return is_waiting
  }

  return {
    /** Names a kind of task and says how it is done. Before `start`. */
    define<Payload>(kind: TaskKind<Payload>): TaskQueue<Payload> {
      // Each kind gets payloads of its own schema only.
      const untyped: unknown = kind
      kinds.set(kind.kind, untyped as AnyKind)
      return {
        async create(tx, { user_id, account_id, budgets }, payload, name) {
          const id = createId()
          await store.insertTask(tx, { id, user_id, account_id, budgets, kind: kind.kind, payload, name })
          await jobs.send(JOB, {}, { tx })
          return id
        },
        start: wake,
      }
    },

    /** A user's tasks by their ids. */
    async list(user_id: string, ids: string[]): Promise<Map<string, Task>> {
      const rows = ids.length ? await store.listTasks(db, user_id, ids) : []
      return new Map(rows.map((row) => [row.id, { ...row, cost: BigInt(row.cost) }]))
    },

    cancel,
    retry,

    /** All of a user's tasks, the newest first. */
    async listOwn(user_id: string, { page, size }: { page: number; size: number }) {
      const { rows, total } = await store.listOwnTasks(db, user_id, { size, offset: (page - 1) * size })
      const url = { url: '/api/tasks', query: {}, size_name: 'page_size' }
      return toPageResponse(rows.map(presentTask), { total, page, size, ...url })
    },

    /** A user's task. Throws AppError not_found, as do all that name one. */
    getOwn: async (user_id: string, id: string): Promise<OwnTask> =>
      presentTask(await requireTask(user_id, id)),

    /** The same with what it came to so far. `after`: behind that part of it. */
    async readResult(user_id: string, id: string, after: number) {
      const row = await requireTask(user_id, id)
      const found = findKind({ ...row, user_id })
      const data = await found?.kind.readResult(found.task, found.payload, after)
      const task = presentTask(row)
      return { status: task.status, data: data ?? null, task }
    },

    /** Lets a user's task that failed or was stopped go on. Throws AppError task_running, task_done, task_superseded. */
    async retryOwn({ user_id, account_id, budgets }: TaskOwner, id: string): Promise<OwnTask> {
      const row = await requireTask(user_id, id)
      const found = findKind({ ...row, user_id })
      if (row.state === 'done') throw new AppError('task_done')
      if (!found) throw new AppError('not_found')
      // As it is before it goes on: it may fail again at once.
      const retried = await db.transaction(async (tx) => {
        if (!(await retry(tx, { user_id, account_id, budgets }, id))) throw new AppError('task_running')
        await found.kind.onRetry?.(tx, found.payload, { ...found.task, account_id, budgets })
        return requireTask(user_id, id, tx)
      })
      wake()
      return presentTask(retried)
    },

    /** Forgets a user's task, with what hangs on it; one that is under way is stopped. */
    async deleteOwn(user_id: string, id: string): Promise<void> {
      await db.transaction(async (tx) => {
        const deleted = await store.deleteTask(tx, user_id, id)
        if (!deleted) throw new AppError('not_found')
        const isOpen = deleted.state === 'waiting' || deleted.state === 'running'
        if (isOpen) await notify(tx, deleted, { state: 'cancelled', code: null })
      })
      await stopCancelled()
    },

    sweep: () => store.deleteOldTasks(db),

    /** Names the job that wakes this process. Before the queue is started. */
    prepare: () => jobs.define(JOB, async () => wake()),

    /** Begins to work, with what earlier processes left first. */
    async start(): Promise<void> {
      is_started = true
      await recoverOrphans(exclusive ? 0 : DEAD_AFTER_S)
      timer = setTimeout(() => void runRound(), HEARTBEAT_MS).unref()
    },

    /** Puts back what runs, for the next process. */
    async stop(): Promise<void> {
      is_started = false
      if (timer) clearTimeout(timer)
      await claiming
      for (const { abort } of running.values()) abort.abort(new ServerStops())
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

type StoredTask = TaskOwner & Pick<ClaimedTask, 'id' | 'kind' | 'payload'>

const STATUSES = { waiting: 0, running: 1, done: 2, failed: 3, cancelled: 3 } as const

function presentTask(row: OwnTaskRow): OwnTask {
  const { id: uuid, kind, name, state, code, done, total, seconds_left, cost, created_at, ended_at } = row
  const reason =
    state === 'cancelled' ? 'task_cancelled' : state === 'failed' ? (code ?? 'task_failed') : null
  return {
    uuid,
    kind,
    name,
    status: STATUSES[state],
    // A code of another version, or one that says nothing to a person.
    error:
      reason &&
      errors[Object.hasOwn(errors, reason) && reason !== 'internal' ? reason : 'task_failed'].message,
    done,
    total,
    seconds_left,
    cost: toExactCoins(BigInt(cost)),
    created_at,
    ended_at,
  }
}

/** Why an execution is stopped. */
class TaskCancelled extends Error {}
class ServerStops extends Error {}
class LostTask extends Error {}
