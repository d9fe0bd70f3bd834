import type {
  DeletedResponse,
  ResponseItemList,
  ResponseObject,
  ResponseRequest,
} from '#contract/gateway/responses.ts'
import { AppError } from '#server/core/app-error.ts'
import { sendJson } from '../../http/exchange.ts'
import { toBackgroundState } from '../../pipeline/background.ts'
import type { CallContext, Handler } from '../../pipeline/context.ts'
import * as store from './store.ts'
import { findRunId, parseItems } from './kept-input.ts'
import { createResponseHeader, formatKeptResponse } from './response.ts'
import { createToolNames } from './tools.ts'

// Responses that were kept, for the key that made them.

const DEFAULT_PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100

/** `GET /responses/{id}`: a response in its current state. */
export const getResponse: Handler<undefined> = async (context) => {
  sendJson(context.exchange.response, 200, await loadResponse(context, parseRunId(context)))
}

/** `POST /responses/{id}/cancel`: stops a response in the background, and sends its state afterwards. */
export const cancelResponse: Handler<undefined> = async (context) => {
  const runId = parseRunId(context)
  const { background, status } = await loadResponse(context, runId)
  if (!background) throw new AppError('bad_request', { fields: { id: '只有后台应答可以取消' } })
  if (status === 'in_progress') await context.deps.runs.cancel(runId)
  sendJson(context.exchange.response, 200, await loadResponse(context, runId))
}

/** `DELETE /responses/{id}`: deletes a response, and cancels its run if that is still under way. */
export const deleteResponse: Handler<undefined> = async (context) => {
  const { deps, key, exchange } = context
  const runId = parseRunId(context)
  if (!(await store.deleteResponse(deps.db, key.id, runId))) throw new AppError('not_found')
  await deps.runs.cancel(runId)
  const deleted: DeletedResponse = { id: `resp_${runId}`, object: 'response', deleted: true }
  sendJson(exchange.response, 200, deleted)
}

/** `GET /responses/{id}/input_items`: the items that the call brought, newest first unless `order` is `asc`. */
export const listInputItems: Handler<undefined> = async (context) => {
  const { deps, key, exchange, query } = context
  const runId = parseRunId(context)
  const row = await store.findResponse(deps.db, key.id, runId)
  if (!row) throw new AppError('not_found')
  const items = parseItems({ run_id: runId, input: row.input })
  if (query.get('order') !== 'asc') items.reverse()
  const size = Number(query.get('limit') ?? DEFAULT_PAGE_SIZE)
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE)
    throw new AppError('bad_request', { fields: { limit: `请填 1 到 ${MAX_PAGE_SIZE} 的整数` } })
  const start = items.findIndex(({ id }) => id === query.get('after')) + 1
  const data = items.slice(start, start + size)
  const list: ResponseItemList = {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + data.length < items.length,
  }
  sendJson(exchange.response, 200, list)
}

function parseRunId({ params: { id = '' } }: CallContext): string {
  const runId = id.startsWith('resp_') ? findRunId(id) : null
  if (runId === null) throw new AppError('not_found')
  return runId
}

/** Throws AppError not_found. */
async function loadResponse({ deps, key }: CallContext, runId: string): Promise<ResponseObject> {
  const row = await store.findResponse(deps.db, key.id, runId)
  if (!row) throw new AppError('not_found')
  const body = JSON.parse(row.request) as ResponseRequest
  const header = createResponseHeader(runId, body, true)
  return formatKeptResponse(header, toBackgroundState(row), createToolNames(body.tools ?? []))
}
