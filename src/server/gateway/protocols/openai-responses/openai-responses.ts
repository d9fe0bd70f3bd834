import type { ResponseRequest } from '#contract/gateway/responses.ts'
import { KEEP_ALIVE_COMMENT } from '../../http/exchange.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { buildPrompt } from './prompt.ts'
import { createResponseHeader, formatResponse } from './response.ts'
import { createResponseWriter } from './stream.ts'
import { createToolNames, parseTools } from './tools.ts'

/** OpenAI's Responses: `POST /responses`. */
export const openAiResponses: ProtocolAdapter<ResponseRequest> = {
  parse(body) {
    const names = createToolNames(body.tools ?? [])
    const { dropped_tools, ...tools } = parseTools(body, names)
    return {
      model: body.model,
      routing_options: body,
      stream: body.stream === true,
      dropped_tools,
      buildPrompt: (model) => buildPrompt(body, model, { names, tools }),
    }
  },
  createFormatter({ body, run_id }) {
    const header = createResponseHeader(run_id, body)
    const names = createToolNames(body.tools ?? [])
    return {
      formatWhole: (result) => formatResponse(header, result, names),
      createWriter: () => createResponseWriter(header, names),
      keep_alive: KEEP_ALIVE_COMMENT,
    }
  },
}
