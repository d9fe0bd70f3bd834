import { sql } from 'drizzle-orm'
import { momentSql } from '#server/core/database/moment-sql.ts'
import type { Db } from '#server/core/database/database.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { taskStates } from './tables.ts'

export type TaskState = (typeof taskStates)[number]
/** A task claimed by an execution. */
export type ClaimedTask = {
  id: string
  user_id: string
  account_id: string
  budgets: string[]
  kind: string
  payload: unknown
  done: number
  starts: number
  /** Times that it has been delayed in a row. */
  delays: number
}
export type TaskEnd = { state: Exclude<TaskState, 'waiting' | 'running'>; code: ErrorCode | null }

/** A task's owner and payer: `Payer` of runs. */
export type TaskOwner = Pick<ClaimedTask, 'user_id' | 'account_id' | 'budgets'>

const toUuids = (ids: string[]) =>
  sql`ARRAY(SELECT id::uuid FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS named(id))`

export async function insertTask(
  tx: Db,
  task: TaskOwner & Pick<ClaimedTask, 'id' | 'kind' | 'payload'> & { name: string },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO tasks (id, user_id, account_id, budgets, kind, payload, name)
    VALUES (${task.id}, ${task.user_id}, ${task.account_id}, ${toUuids(task.budgets)}, ${task.kind}, ${JSON.stringify(task.payload)}::jsonb,
      ${task.name})`)
}

/**
 * Claims the next task of these kinds for an execution: from users with fewer than `max_per_user` running, those with the fewest
 * running first, then those whose last start is longest ago. Returns undefined if there is none.
 */
export async function claimTask(
  db: Db,
  { kinds, max_per_user, execution_id }: { kinds: string[]; max_per_user: number; execution_id: string },
): Promise<ClaimedTask | undefined> {
  return db.transaction(async (tx) => {
    // One claim at a time over all processes, or two could exceed the limit of a person.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('tasks', 0))`)
    const { rows } = await tx.execute<ClaimedTask>(sql`
      WITH person AS (
        SELECT user_id, count(*) FILTER (WHERE state = 'running') AS running FROM tasks
        WHERE state IN ('waiting', 'running') GROUP BY user_id
      ), next AS (
        SELECT t.id FROM tasks t JOIN person p USING (user_id)
        WHERE t.state = 'waiting' AND (t.retry_at IS NULL OR t.retry_at <= now()) AND p.running < ${max_per_user}
          AND t.kind IN (SELECT json_array_elements_text(${JSON.stringify(kinds)}::json))
        ORDER BY p.running, (SELECT max(s.started_at) FROM tasks s WHERE s.user_id = t.user_id) NULLS FIRST,
          t.created_at, t.id
        LIMIT 1 FOR UPDATE OF t SKIP LOCKED
      )
      UPDATE tasks SET state = 'running', execution_id = ${execution_id}::uuid, seen_at = now(), started_at = now(),
        starts = starts + 1, done_at_start = done, code = NULL, retry_at = NULL
      FROM next WHERE tasks.id = next.id
      RETURNING tasks.id, user_id, account_id, budgets, kind, payload, done, starts, delays`)
    return rows[0]
  })
}

/** Records a heartbeat of executions. Returns those that may go on; the others were cancelled or taken for dead. */
export async function touchExecutions(db: Db, executionIds: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ execution_id: string; cancelled: boolean }>(sql`
    UPDATE tasks SET seen_at = now()
    WHERE state = 'running' AND execution_id IN (
      SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(executionIds)}::json))
    RETURNING execution_id, cancelled_at IS NOT NULL AS cancelled`)
  return new Set(rows.filter(({ cancelled }) => !cancelled).map(({ execution_id }) => execution_id))
}

/** Saves an execution's progress and cost; returns false if it has lost the right to write. */
export async function updateProgress(
  tx: Db,
  executionId: string,
  { done, total, cost }: { done: number; total: number | null; cost: bigint },
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    UPDATE tasks SET done = ${done}, total = ${total}, cost = cost + ${cost.toString()}::bigint, seen_at = now()
    WHERE execution_id = ${executionId} AND state = 'running' RETURNING id`)
  return rows.length > 0
}

/** A task executed to its end, with the seconds since its creation. */
export type ExecutedTask = { id: string; user_id: string; kind: string; name: string; seconds: number }

/** Ends an execution's task; returns undefined if the execution has lost it. */
export async function endTask(
  tx: Db,
  executionId: string,
  { state, code }: TaskEnd,
): Promise<ExecutedTask | undefined> {
  const { rows } = await tx.execute<ExecutedTask>(sql`
    UPDATE tasks SET state = ${state}, code = ${code}, ended_at = now(), execution_id = NULL
    WHERE execution_id = ${executionId} AND state = 'running'
    RETURNING id, user_id, kind, name, extract(epoch FROM now() - created_at)::float8 AS seconds`)
  return rows[0]
}

/** Returns a task to the waiting ones. `starts`: the number of starts that counts for it. */
export async function releaseTask(db: Db, executionId: string, starts: number): Promise<void> {
  await db.execute(sql`
    UPDATE tasks SET state = 'waiting', execution_id = NULL, starts = ${starts}
    WHERE execution_id = ${executionId} AND state = 'running'`)
}

/**
 * Lets a task wait for another try after a failure that is no fault of its subject; one that is being cancelled is claimed at
 * once, to end. `delays`, `starts`: the numbers that count for it.
 */
export async function delayTask(
  db: Db,
  executionId: string,
  { code, seconds, delays, starts }: { code: ErrorCode; seconds: number; delays: number; starts: number },
): Promise<void> {
  await db.execute(sql`
    UPDATE tasks SET state = 'waiting', execution_id = NULL, code = ${code}, delays = ${delays}, starts = ${starts},
      retry_at = CASE WHEN cancelled_at IS NULL THEN now() + make_interval(secs => ${seconds}) END
    WHERE execution_id = ${executionId} AND state = 'running'`)
}

export type OrphanedTask = ClaimedTask & { execution_id: string; cancelled: boolean }

/** Lists running tasks without a heartbeat for `seconds`. `starts` is 0 for tasks that have finished a part since. */
export async function listOrphanedTasks(db: Db, seconds: number): Promise<OrphanedTask[]> {
  const { rows } = await db.execute<OrphanedTask>(sql`
    SELECT id, user_id, account_id, budgets, kind, payload, done, execution_id, delays, cancelled_at IS NOT NULL AS cancelled,
      CASE WHEN done > done_at_start THEN 0 ELSE starts END AS starts
    FROM tasks WHERE state = 'running' AND seen_at <= now() - make_interval(secs => ${seconds})`)
  return rows
}

export type TaskRow = {
  id: string
  state: TaskState
  code: ErrorCode | null
  done: number
  total: number | null
  cost: string
  seconds_left: number | null
}

/** Remaining time is estimated by the speed since the last start. */
const columns = sql`id, state, code, done, total, cost::text,
  CASE WHEN state = 'running' AND total IS NOT NULL AND done > done_at_start THEN
    ceil(extract(epoch FROM now() - started_at) / (done - done_at_start) * greatest(total - done, 0))::int
  END AS seconds_left`

/** Lists tasks of a user by their ids. */
export async function listTasks(db: Db, userId: string, ids: string[]): Promise<TaskRow[]> {
  const { rows } = await db.execute<TaskRow>(sql`
    SELECT ${columns} FROM tasks WHERE user_id = ${userId}
      AND id IN (SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(ids)}::json))`)
  return rows
}

/** A task as its owner sees it; times in ISO 8601. */
export type OwnTaskRow = TaskRow & {
  account_id: string
  budgets: string[]
  kind: string
  payload: unknown
  name: string
  created_at: string
  ended_at: string | null
}
const ownColumns = sql`${columns}, account_id, budgets, kind, payload, name, ${momentSql(sql`created_at`)} AS created_at,
  ${momentSql(sql`ended_at`)} AS ended_at`

/** Returns a page of a user's tasks, the newest first, and the number of all. */
export async function listOwnTasks(
  db: Db,
  userId: string,
  { size, offset }: { size: number; offset: number },
): Promise<{ rows: OwnTaskRow[]; total: number }> {
  const { rows } = await db.execute<OwnTaskRow>(sql`
    SELECT ${ownColumns} FROM tasks WHERE user_id = ${userId}
    ORDER BY created_at DESC, id DESC LIMIT ${size} OFFSET ${offset}`)
  const all = await db.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM tasks WHERE user_id = ${userId}`)
  return { rows, total: all.rows[0]!.total }
}

export async function findOwnTask(db: Db, userId: string, id: string): Promise<OwnTaskRow | undefined> {
  const { rows } = await db.execute<OwnTaskRow>(sql`
    SELECT ${ownColumns} FROM tasks WHERE user_id = ${userId} AND id = ${id}`)
  return rows[0]
}

/** Deletes a user's task with its dependent data. Its execution loses the right to write. */
export async function deleteTask(
  tx: Db,
  userId: string,
  id: string,
): Promise<(ClaimedTask & { state: TaskState }) | undefined> {
  const { rows } = await tx.execute<ClaimedTask & { state: TaskState }>(sql`
    DELETE FROM tasks WHERE user_id = ${userId} AND id = ${id}
    RETURNING id, user_id, account_id, budgets, kind, payload, done, starts, delays, state`)
  return rows[0]
}

/**
 * Cancels a task. A waiting one ends at once and is returned; the execution of a running one learns of it by the next heartbeat.
 */
export async function cancelTask(tx: Db, userId: string, id: string): Promise<ClaimedTask | undefined> {
  const { rows } = await tx.execute<ClaimedTask & { state: TaskState }>(sql`
    UPDATE tasks SET cancelled_at = now(),
      state = CASE state WHEN 'waiting' THEN 'cancelled' ELSE state END,
      ended_at = CASE state WHEN 'waiting' THEN now() END
    WHERE id = ${id} AND user_id = ${userId} AND state IN ('waiting', 'running')
    RETURNING id, user_id, account_id, budgets, kind, payload, done, starts, delays, state`)
  return rows.find(({ state }) => state === 'cancelled')
}

/**
 * Resumes a failed or cancelled task from its last finished part, at the cost of its owner's present payer; returns false if it
 * is in another state.
 */
export async function retryTask(
  tx: Db,
  { user_id, account_id, budgets }: TaskOwner,
  id: string,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    UPDATE tasks SET state = 'waiting', code = NULL, starts = 0, delays = 0, retry_at = NULL, cancelled_at = NULL, ended_at = NULL,
      account_id = ${account_id}, budgets = ${toUuids(budgets)}
    WHERE id = ${id} AND user_id = ${user_id} AND state IN ('failed', 'cancelled') RETURNING id`)
  return rows.length > 0
}

export async function deleteOldTasks(db: Db): Promise<void> {
  await db.execute(sql`
    DELETE FROM tasks WHERE state NOT IN ('waiting', 'running') AND ended_at < now() - interval '90 days'`)
}
