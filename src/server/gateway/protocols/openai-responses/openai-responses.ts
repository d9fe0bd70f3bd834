import type { ResponseRequest } from '#contract/gateway/responses.ts'
import { KEEP_ALIVE_COMMENT } from '../../http/exchange.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { buildPrompt } from './prompt.ts'
import { createResponseHeader, formatResponse } from './response.ts'
import { createResponseWriter } from './stream.ts'

/** OpenAI's Responses: `POST /responses`. */
export const openAiResponses: ProtocolAdapter<ResponseRequest> = {
  parse: (body) => ({
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    buildPrompt: (model) => buildPrompt(body, model),
  }),
  createFormatter({ body, run_id }) {
    const header = createResponseHeader(run_id, body)
    return {
      formatWhole: (result) => formatResponse(header, result),
      createWriter: () => createResponseWriter(header),
      keep_alive: KEEP_ALIVE_COMMENT,
    }
  },
}
