import { z } from 'zod'
import { createdAt, moment } from '#contract/dates/dates.ts'
import type { Calls } from '../call.ts'
import { pageNumber, paginated, pageSize } from '../paging.ts'
import { translationResult } from '../translate/translation.ts'

/** From specification section 9. */
const TASKS_PAGE_SIZE = 15

/** 0 waits, 1 is being worked on, 2 is done, 3 failed or was stopped (specification section 4). */
const taskStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .describe('状态：0 等待、1 进行中、2 完成、3 失败或已停止')

/** Work in the background that a person began. */
const task = z.object({
  uuid: z.uuid().describe('任务的编号'),
  kind: z.string().describe('种类，如 translation 翻译、reading 读取、indexing 索引、evaluation 自测'),
  name: z.string().describe('对象的名称：文件、网页或智能体'),
  status: taskStatus,
  error: z.string().nullable().describe('出错的原因；没有出错则为空'),
  /** `delayMessages` of delays.ts. */
  delay: z.string().nullable().describe('推迟的原因，稍后自动重试；没有推迟则为空'),
  done: z.int().describe('已完成的部分'),
  total: z.int().nullable().describe('全部的部分；不知道则为空'),
  seconds_left: z.int().nullable().describe('预计还要多少秒；不知道则为空'),
  cost: z.number().describe('已产生的费用，单位金币'),
  created_at: createdAt,
  ended_at: moment.nullable().describe('结束时间；还没有结束则为空'),
})
export type Task = z.output<typeof task>

/** A task's result so far, by its kind. */
const taskResult = z.discriminatedUnion('kind', [
  translationResult,
  /** The document that was read or indexed. */
  z.object({
    kind: z.enum(['reading', 'indexing']).describe('种类'),
    block: z.uuid().describe('读取或索引的文档'),
  }),
  /** The agent that was tested. */
  z.object({ kind: z.literal('evaluation').describe('种类'), agent: z.uuid().describe('自测的智能体') }),
])
export type TaskResult = z.output<typeof taskResult>

const params = z.object({ id: z.uuid().describe('任务的编号') })

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
      after: z.int().min(0).max(10_000_000).default(0).describe('只要翻译结果里这一段之后的'),
    }),
    response: z.object({
      status: taskStatus,
      /** Null where it has none, or its object is deleted. */
      data: taskResult.nullable().describe('到目前为止的结果；没有则为空'),
      task: task.describe('任务'),
    }),
    errors: ['not_found'],
  },
  'POST /api/task/{id}/cancel': {
    summary: '停止任务，已完成的部分保留',
    auth: 'user',
    params,
    response: z.object({ data: task.describe('任务') }),
    errors: ['not_found'],
  },
  'POST /api/task/{id}/retry': {
    summary: '重试失败或停止的任务：从完成的部分继续',
    auth: 'user',
    params,
    response: z.object({ data: task.describe('任务') }),
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
