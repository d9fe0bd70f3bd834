import type { MessageRequest, TokenCount, TokenCountRequest } from '#contract/gateway/messages.ts'
import { estimateInput } from '#server/llm/llm.ts'
import { sendJson } from '../../http/exchange.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { requireModel } from '../../pipeline/context.ts'
import type { Handler } from '../../pipeline/context.ts'
import { buildPrompt, listHostedTools, parseBetas, parseMessages, parseTools } from './prompt.ts'
import { createMessageHeader, formatMessage } from './response.ts'
import { createMessageWriter, PING } from './stream.ts'

/** Anthropic's Messages: `POST /messages`. */
export const anthropic: ProtocolAdapter<MessageRequest> = {
  parse: ({ body, exchange }) => ({
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    dropped_tools: listHostedTools(body),
    buildPrompt: (model) => buildPrompt(body, model, parseBetas(exchange.request.headers['anthropic-beta'])),
  }),
  createFormatter({ run_id, request: { model, prompt }, request_id }) {
    const header = createMessageHeader(run_id, model)
    return {
      formatWhole: (result) => formatMessage(header, result),
      createWriter: () =>
        createMessageWriter(header, { request_id, input_tokens: estimateInput(prompt, model) }),
      keep_alive: PING,
    }
  },
}

/** `POST /messages/count_tokens`: an estimate, as Anthropic's own is one; no platform is called. */
export const countTokens: Handler<TokenCountRequest> = async (context) => {
  const { body, exchange } = context
  const { id } = requireModel(context, body.model)
  const inputTokens = estimateInput({ messages: parseMessages(body), ...parseTools(body) }, id)
  sendJson(exchange.response, 200, { input_tokens: inputTokens } satisfies TokenCount)
}
