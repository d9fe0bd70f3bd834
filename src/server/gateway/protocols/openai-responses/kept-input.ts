import type { ResponseInputItem, ResponseRequest } from '#contract/gateway/responses.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { toBackgroundState } from '../../pipeline/background.ts'
import type { ResultStore } from '../../pipeline/background.ts'
import { deserializeResult } from '../../pipeline/cached-result.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import * as store from './store.ts'
import type { KeptResponse } from './store.ts'
import { createResponseHeader, formatResponse } from './response.ts'
import { createToolNames } from './tools.ts'

// Earlier responses of the same key: a call continues one of them, or refers to their items.

/** Longest input that is kept, characters; a call that brings more (pictures) is answered, and not kept. */
const MAX_KEPT_CHARS = 8_000_000

const UNKNOWN_RESPONSE = '没有这个应答：它没有保存、已过期或被删除、还没有完成，或是另一个密钥的'
const TOO_LARGE = '输入太大，无法保存，请去掉 background'
const UNKNOWN_ITEM = '引用的内容没有保存、已过期或被删除，请在 input 中直接带上它'

export type InputItem = ResponseInputItem & { id?: string | null }
type ResolvedInput = {
  /** The input for the model, with everything that the call continues and refers to. */
  input: ResponseRequest['input']
  /** The items that the call itself brought. */
  own_items: InputItem[]
}

/** Resolves the whole input of a call. Makes no query when it refers to nothing. Throws AppError bad_request. */
export async function resolveInput(
  db: Db,
  keyId: string,
  { input, previous_response_id: previous }: ResponseRequest,
): Promise<ResolvedInput> {
  const items = typeof input === 'string' ? [toUserMessage(input)] : input
  const references = items.filter((item) => item.type === 'item_reference')
  if (!previous && !references.length) return { input, own_items: items }
  const earlier = previous ? await loadChain(db, keyId, previous) : []
  const ownItems = references.length ? await resolveReferences(db, keyId, items) : items
  return { input: [...earlier, ...ownItems], own_items: ownItems }
}

const toUserMessage = (text: string): ResponseInputItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

async function loadChain(db: Db, keyId: string, responseId: string): Promise<InputItem[]> {
  const runId = responseId.startsWith('resp_') ? findRunId(responseId) : null
  const chain = runId === null ? null : await store.listResponseChain(db, keyId, runId)
  if (!chain || chain.some((response) => !readResult(response)))
    throw new AppError('bad_request', { fields: { previous_response_id: UNKNOWN_RESPONSE } })
  return chain.flatMap((response) => [...parseItems(response), ...formatOutputItems(response)])
}

/**
 * Replaces references by the items that they name. Reasoning that is gone is left out. Text that a stream sent around other items
 * is kept as one item, so references to its later parts are left out too.
 */
async function resolveReferences(db: Db, keyId: string, items: ResponseInputItem[]): Promise<InputItem[]> {
  const ids = items.flatMap((item) => (item.type === 'item_reference' ? item.id : []))
  const runIds = new Set(ids.flatMap((id) => findRunId(id) ?? []))
  const responses = runIds.size ? await store.listResponses(db, keyId, [...runIds]) : []
  const knownRuns = new Set(responses.map(({ run_id }) => run_id))
  const knownItems = new Map(
    responses
      .flatMap((row) => [...parseItems(row), ...formatOutputItems(row)])
      .map((item) => [item.id, item]),
  )
  return items.flatMap((item): InputItem[] => {
    if (item.type !== 'item_reference') return [item]
    const target = knownItems.get(item.id)
    if (target) return [target]
    if (item.id.startsWith('rs_') || knownRuns.has(findRunId(item.id) ?? '')) return []
    throw new AppError('bad_request', { fields: { input: UNKNOWN_ITEM } })
  })
}

/** The run in the id of a response, or of one of its items; null where there is none. */
export const findRunId = (id: string): string | null =>
  /^[a-z]+_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:_\w+)?$/.exec(id)?.[1] ?? null

/** The items that a call brought, each with an id. */
export function parseItems({
  run_id,
  input,
}: Pick<KeptResponse, 'run_id' | 'input'>): (InputItem & { id: string })[] {
  const items = JSON.parse(input) as InputItem[]
  return items.map((item, nth) => ({
    ...item,
    id: item.id || `${item.type === 'message' ? 'msg' : 'item'}_${run_id}_in${nth}`,
  }))
}

/** Null for a response that is still under way, or that a platform refused. */
function readResult({ answer }: KeptResponse): CachedResult | null {
  const result = answer === null ? null : deserializeResult(answer)
  return result?.rejection ? null : result
}

/** The items of an answer, as input of the next call. */
function formatOutputItems(response: KeptResponse): InputItem[] {
  const { run_id, request } = response
  const result = readResult(response)
  if (!result) return []
  const body = JSON.parse(request) as ResponseRequest
  const names = createToolNames(body.tools ?? [])
  return formatResponse(createResponseHeader(run_id, body, true), result, names).output
}

/** Creates the store for a call's result; undefined if the call asks for none, or is too large. Throws AppError bad_request. */
export function createResponseStore(
  keyId: string,
  body: ResponseRequest,
  ownItems: InputItem[],
): ResultStore | undefined {
  const { store: isWanted, background, previous_response_id: previous } = body
  if (isWanted === false) return undefined
  const input = JSON.stringify(ownItems)
  if (input.length > MAX_KEPT_CHARS) {
    if (background) throw new AppError('bad_request', { fields: { background: TOO_LARGE } })
    return undefined
  }
  const response = {
    key_id: keyId,
    previous_run_id: previous ? findRunId(previous) : null,
    request: JSON.stringify({ ...body, input: '' }),
    input,
  }
  const find: ResultStore['find'] = async (db, runId) => {
    const row = await store.findResponse(db, keyId, runId)
    return row ? toBackgroundState(row) : null
  }
  if (!background)
    return {
      finish: (tx, runId, answer) => store.insertResponse(tx, { ...response, run_id: runId, answer }),
      find,
    }
  return {
    begin: (tx, runId) => store.insertResponse(tx, { ...response, run_id: runId, answer: null }),
    finish: store.updateResponseAnswer,
    find,
  }
}
