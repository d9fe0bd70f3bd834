import { errors } from '#contract/errors.ts'
import type { Task as OwnTask } from '#contract/tasks/tasks.ts'
import { AppError } from '#server/core/app-error.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { JobQueue } from '#server/core/jobs.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import { describeDelay } from './delays.ts'
import { createExecutor } from './executor.ts'
import type { ExecutorOptions } from './executor.ts'
import { createKinds } from './kinds.ts'
import type { TaskKind } from './kinds.ts'
import * as store from './store.ts'
import type { OwnTaskRow, TaskOwner, TaskRow } from './store.ts'

export { taskRoutes } from './routes.ts'
export { describeDelay } from './delays.ts'
export type { TaskExecution, TaskKind } from './kinds.ts'
export type { ExecutedTask, TaskEnd } from './store.ts'

export type Task = Omit<TaskRow, 'cost'> & {
  /** Micro-coins so far. */
  cost: bigint
}

/** Tasks of one kind, for the feature that defined it. */
export type TaskQueue<Payload> = {
  /** Creates a task in the caller's transaction; it starts after the commit. `name`: its subject, for people. */
  create(tx: Db, owner: TaskOwner, payload: Payload, name: string): Promise<string>
  /** Looks for work at once, to be called after the commit in the creating process. */
  start(): void
}

export type Tasks = ReturnType<typeof createTasks>

/** The job that tells every process that there is work. */
const JOB = 'tasks'

type Options = ExecutorOptions & { jobs: JobQueue }

/**
 * Work outside of requests: it survives the process, reports progress, can be stopped, and resumes from its last finished part. A
 * queue job is only a wake-up; the next task is chosen when there is room for one, so that a hundred tasks of one person do not
 * delay another person's only one.
 */
export function createTasks({ jobs, ...options }: Options) {
  const { db } = options
  const kinds = createKinds()
  const { wake, stopCancelled, start, stop } = createExecutor({ ...options, kinds })

  const requireTask = async (userId: string, id: string, tx: Db = db): Promise<OwnTaskRow> => {
    const row = await store.findOwnTask(tx, userId, id)
    if (!row) throw new AppError('not_found')
    return row
  }

  /** Stops a user's task; finished parts stay. Does nothing if it has ended. */
  const cancel = async (userId: string, id: string): Promise<void> => {
    await db.transaction(async (tx) => {
      const cancelledTask = await store.cancelTask(tx, userId, id)
      if (cancelledTask) await kinds.notifyEnd(tx, cancelledTask, { state: 'cancelled', code: null })
    })
    await stopCancelled()
  }

  /** Resumes a failed or cancelled task from its last finished part; returns false if it is in another state. */
  const retry = async (tx: Db, owner: TaskOwner, id: string): Promise<boolean> => {
    const isWaiting = await store.retryTask(tx, owner, id)
    if (isWaiting) await jobs.send(JOB, {}, { tx })
    return isWaiting
  }

  return {
    /** Defines a kind of task, before `start`. */
    define<Payload>(kind: TaskKind<Payload>): TaskQueue<Payload> {
      kinds.add(kind)
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

    /** Returns a user's tasks by their ids. */
    async list(userId: string, ids: string[]): Promise<Map<string, Task>> {
      const rows = ids.length ? await store.listTasks(db, userId, ids) : []
      return new Map(rows.map((row) => [row.id, { ...row, cost: BigInt(row.cost) }]))
    },

    cancel,
    retry,

    /** Lists all tasks of a user, the newest first. */
    async listOwn(userId: string, { page, size }: { page: number; size: number }) {
      const { rows, total } = await store.listOwnTasks(db, userId, { size, offset: (page - 1) * size })
      const url = { url: '/api/tasks', query: {}, size_name: 'page_size' }
      return toPageResponse(rows.map(presentTask), { total, page, size, ...url })
    },

    /** Returns a user's task. Throws AppError not_found, as all calls with a task's id do. */
    getOwn: async (userId: string, id: string): Promise<OwnTask> =>
      presentTask(await requireTask(userId, id)),

    /** Returns a user's task with its results so far behind part `after`. */
    async readResult(userId: string, id: string, after: number) {
      const row = await requireTask(userId, id)
      const match = kinds.find({ ...row, user_id: userId })
      const data = await match?.kind.readResult(match.task, match.payload, after)
      const task = presentTask(row)
      return { status: task.status, data: data ?? null, task }
    },

    /** Resumes a user's failed or stopped task. Throws AppError task_running, task_done, task_superseded. */
    async retryOwn({ user_id, account_id, budgets }: TaskOwner, id: string): Promise<OwnTask> {
      const row = await requireTask(user_id, id)
      const match = kinds.find({ ...row, user_id })
      if (row.state === 'done') throw new AppError('task_done')
      if (!match) throw new AppError('not_found')
      // Read before it resumes, since it may fail again at once.
      const retried = await db.transaction(async (tx) => {
        if (!(await retry(tx, { user_id, account_id, budgets }, id))) throw new AppError('task_running')
        await match.kind.onRetry(tx, match.payload, { ...match.task, account_id, budgets })
        return requireTask(user_id, id, tx)
      })
      wake()
      return presentTask(retried)
    },

    /** Deletes a user's task with its dependent data, and stops it. */
    async deleteOwn(userId: string, id: string): Promise<void> {
      await db.transaction(async (tx) => {
        const deleted = await store.deleteTask(tx, userId, id)
        if (!deleted) throw new AppError('not_found')
        const isOpen = deleted.state === 'waiting' || deleted.state === 'running'
        if (isOpen) await kinds.notifyEnd(tx, deleted, { state: 'cancelled', code: null })
      })
      await stopCancelled()
    },

    sweep: () => store.deleteOldTasks(db),

    /** Defines the job that wakes this process, before the queue is started. */
    prepare: () => jobs.define(JOB, async () => wake()),

    start,
    stop,
  }
}

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
    // A code of another version, or one that tells people nothing, becomes a general message.
    error:
      reason &&
      errors[Object.hasOwn(errors, reason) && reason !== 'internal' ? reason : 'task_failed'].message,
    delay: describeDelay(row),
    done,
    total,
    seconds_left,
    cost: toExactCoins(BigInt(cost)),
    created_at,
    ended_at,
  }
}
