import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
import type { Calls } from '../call.ts'
import { pageNumber, paginated, pageSize } from '../paging.ts'
import { translationResult } from '../translate/translation.ts'

/** From specification section 9. */
const TASKS_PAGE_SIZE = 15

/** 0 waits, 1 is being worked on, 2 is done, 3 failed or was stopped (specification section 4). */
const taskStatus = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])

/** Work in the background that a person began. */
const task = z.object({
  uuid: z.uuid(),
  /** `translation`, `reading` (of a file, a link or a recording), `indexing`, `evaluation` … */
  kind: z.string(),
  /** Its object: the name of a file, a page or an agent. */
  name: z.string(),
  status: taskStatus,
  /** Chinese reason of status 3. */
  error: z.string().nullable(),
  /** Finished parts, and their total as far as known. */
  done: z.int(),
  total: z.int().nullable(),
  seconds_left: z.int().nullable(),
  /** Coins charged so far. */
  cost: z.number(),
  created_at: moment,
  ended_at: moment.nullable(),
})
export type Task = z.output<typeof task>

/** A task's result so far, by its kind. */
const taskResult = z.discriminatedUnion('kind', [
  translationResult,
  /** The document that was read or indexed. */
  z.object({ kind: z.enum(['reading', 'indexing']), block: z.uuid() }),
  /** The agent that was tested. */
  z.object({ kind: z.literal('evaluation'), agent: z.uuid() }),
])
export type TaskResult = z.output<typeof taskResult>

const params = z.object({ id: z.uuid() })

export const taskCalls = {
  'GET /api/tasks': {
    summary: '自己的后台任务，新的在前',
    auth: 'user',
    query: z.object({ page: pageNumber, page_size: pageSize(TASKS_PAGE_SIZE) }),
    response: paginated(task),
  },
  'GET /api/task/{id}/result': {
    summary: '一个任务的状态和到目前为止的结果',
    auth: 'user',
    params,
    query: z.object({
      /** Texts of a translation behind this one. */
      after: z.int().min(0).max(10_000_000).default(0),
    }),
    response: z.object({
      status: taskStatus,
      /** Null where it has none, or its object is deleted. */
      data: taskResult.nullable(),
      task,
    }),
    errors: ['not_found'],
  },
  'POST /api/task/{id}/cancel': {
    summary: '停止任务，已完成的部分保留',
    auth: 'user',
    params,
    response: z.object({ data: task }),
    errors: ['not_found'],
  },
  'POST /api/task/{id}/retry': {
    summary: '重试失败或停止的任务：从完成的部分继续',
    auth: 'user',
    params,
    response: z.object({ data: task }),
    errors: ['not_found', 'task_running', 'task_done', 'task_superseded'],
  },
  'DELETE /api/task/{id}': {
    summary: '删除任务和它的结果；还在执行的先停止',
    auth: 'user',
    params,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
