import type { ResponseRequest } from '#contract/gateway/responses.ts'
import { AppError } from '#server/core/app-error.ts'
import { KEEP_ALIVE_COMMENT } from '#server/core/event-stream/event-stream.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { createResponseStore, resolveInput } from './kept-input.ts'
import { buildPrompt } from './prompt.ts'
import { createResponseHeader, formatKeptResponse, formatResponse } from './response.ts'
import { createResponseWriter } from './stream.ts'
import { createToolNames, listTools, parseTools } from './tools.ts'

/** OpenAI's Responses: `POST /responses`. */
export const openAiResponses: ProtocolAdapter<ResponseRequest> = {
  async parse({ deps, key, body }) {
    assertBackgroundPossible(body)
    const { input, own_items } = await resolveInput(deps.db, key.id, body)
    const names = createToolNames(listTools({ ...body, input }))
    const { dropped_tools, ...tools } = parseTools(body, names)
    return {
      model: body.model,
      routing_options: body,
      stream: body.stream === true,
      background: body.background,
      results: createResponseStore(key.id, body, own_items),
      dropped_tools,
      buildPrompt: (model) => buildPrompt({ ...body, input }, model, { names, tools }),
    }
  },
  createFormatter({ body, run_id, is_kept }) {
    const header = createResponseHeader(run_id, body, is_kept)
    const names = createToolNames(listTools(body))
    return {
      formatWhole: (result) => formatResponse(header, result, names),
      formatBackground: (state) => formatKeptResponse(header, state, names),
      createWriter: () => createResponseWriter(header, names),
      keep_alive: KEEP_ALIVE_COMMENT,
      ends_with_text: true,
    }
  },
}

function assertBackgroundPossible({ background, stream, store }: ResponseRequest): void {
  if (!background) return
  if (stream) throw new AppError('bad_request', { fields: { stream: '后台应答不能同时流式返回' } })
  if (store === false)
    throw new AppError('bad_request', { fields: { store: '后台应答需要保存，请去掉 store: false' } })
}
