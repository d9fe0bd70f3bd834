import type { z } from 'zod'
import type { TaskResult } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/database.ts'
import type { ClaimedTask, TaskEnd, TaskOwner } from './store.ts'

/** One execution of a task, for the feature that defined its kind. */
export type TaskExecution<Payload> = TaskOwner & {
  task_id: string
  payload: Payload
  /** Parts finished by earlier executions. */
  done: number
  /** Aborts when somebody cancels the task, the server stops, or another process has taken it over. */
  signal: AbortSignal
  /**
   * Saves finished parts and their cost (micro-coins). If `tx` also writes their results, it must do so after this call: deleting
   * a task locks the task before its data. Throws if this execution has lost the right to write.
   */
  saveProgress: (tx: Db, progress: { done: number; total: number | null; cost?: bigint }) => Promise<void>
}

/** An ended task, with its owner and payer. */
type EndedTask = TaskOwner & { task_id: string }

/**
 * A kind of background work, as its feature defines it:
 *
 * ```ts
 * const queue = tasks.define({
 *   kind: 'counting',
 *   payload: z.object({ until: z.int() }),
 *   async execute({ payload, done, saveProgress, signal }) {
 *     for (let n = done + 1; n <= payload.until && !signal.aborted; n++)
 *       await db.transaction((tx) => saveProgress(tx, { done: n, total: payload.until }))
 *   },
 *   onRetry: async () => {},
 *   readResult: async () => null,
 * })
 * ```
 */
export type TaskKind<Payload> = {
  kind: string
  payload: z.ZodType<Payload>
  /**
   * Does the work, or the rest of it after `done` parts. May be started again after any moment. The task fails with the code of
   * an AppError that this throws.
   */
  execute(execution: TaskExecution<Payload>): Promise<void>
  /** Tells the feature how a task ended, in the transaction that ends it. */
  onEnd?(tx: Db, payload: Payload, end: TaskEnd, task: EndedTask): Promise<void>
  /**
   * Prepares the feature for waiting again, in the transaction that resumes the task. Throws AppError task_superseded if another
   * task has taken its place.
   */
  onRetry(tx: Db, payload: Payload, task: EndedTask): Promise<void>
  /** Returns the results so far behind part `after`, for the owner; null if the task's subject was deleted. */
  readResult(task: EndedTask, payload: Payload, after: number): Promise<TaskResult | null>
}

type StoredTask = TaskOwner & Pick<ClaimedTask, 'id' | 'kind' | 'payload'>
export type Kinds = ReturnType<typeof createKinds>

/** The kinds of tasks that features have defined. */
export function createKinds() {
  const kinds = new Map<string, TaskKind<unknown>>()

  /** Finds the kind of a task, with its payload; null for a kind or payload of another version. */
  const find = ({
    id: taskId,
    user_id,
    account_id,
    budgets,
    kind: name,
    payload: rawPayload,
  }: StoredTask) => {
    const kind = kinds.get(name)
    const payload = kind?.payload.safeParse(rawPayload)
    return kind && payload?.success
      ? { kind, payload: payload.data, task: { task_id: taskId, user_id, account_id, budgets } }
      : null
  }

  return {
    find,

    listNames: (): string[] => [...kinds.keys()],

    add<Payload>(kind: TaskKind<Payload>): void {
      // Each kind only gets payloads of its own schema.
      const untyped: unknown = kind
      kinds.set(kind.kind, untyped as TaskKind<unknown>)
    },

    /** Tells the feature how a task ended, in the transaction that ends it. */
    async notifyEnd(tx: Db, task: StoredTask, end: TaskEnd): Promise<void> {
      const match = find(task)
      await match?.kind.onEnd?.(tx, match.payload, end, match.task)
    },
  }
}
