import type { z } from 'zod'
import type { TaskResult } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/database.ts'
import type { ClaimedTask, TaskEnd, TaskOwner } from './store.ts'

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
type EndedTask = TaskOwner & { task_id: string }

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

type StoredTask = TaskOwner & Pick<ClaimedTask, 'id' | 'kind' | 'payload'>
export type Kinds = ReturnType<typeof createKinds>

/** The kinds of tasks that the parts of the server have defined. */
export function createKinds() {
  const kinds = new Map<string, TaskKind<unknown>>()

  /** What knows a task's kind, with its payload; null for a kind, or a payload, of another version. */
  const find = ({ id: taskId, user_id, account_id, budgets, kind: name, payload: stored }: StoredTask) => {
    const kind = kinds.get(name)
    const payload = kind?.payload.safeParse(stored)
    return kind && payload?.success
      ? { kind, payload: payload.data, task: { task_id: taskId, user_id, account_id, budgets } }
      : null
  }

  return {
    find,

    listNames: (): string[] => [...kinds.keys()],

    add<Payload>(kind: TaskKind<Payload>): void {
      // Each kind gets payloads of its own schema only.
      const untyped: unknown = kind
      kinds.set(kind.kind, untyped as TaskKind<unknown>)
    },

    /** Tells the feature how a task ended, in the transaction that ends it. */
    async notifyEnd(tx: Db, task: StoredTask, end: TaskEnd): Promise<void> {
      const found = find(task)
      await found?.kind.onEnd?.(tx, found.payload, end, found.task)
    },
  }
}
