import type { TokenCount } from '#contract/gateway/messages.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import { estimateInput } from '#server/llm/llm.ts'
import { handleChatCall } from '../../pipeline/pipeline.ts'
import { requireModelAccess } from '../../pipeline/run-request.ts'
import type { GatewayDeps } from '../../pipeline/run-request.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createMessageHeader, formatMessage } from './response.ts'
import { createMessageWriter, PING } from './stream.ts'
import { parseMessages, buildPrompt, parseTools } from './prompt.ts'

/** `POST /messages`. Throws AppError. */
export async function handleMessages(deps: GatewayDeps, key: GatewayKey, exchange: Exchange): Promise<void> {
  const body = await deps.body_reader.readJson(exchange, 'message')
  await handleChatCall(deps, key, exchange, {
    fingerprint: ['messages', body],
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    buildPrompt: (model) => buildPrompt(body, model),
    createFormatter: (run_id, { model, prompt }) => {
      const header = createMessageHeader(run_id, model)
      return {
        formatWhole: (ended) => formatMessage(header, ended),
        createWriter: () =>
          createMessageWriter(header, {
            request_id: exchange.request_id,
            input_tokens: estimateInput(prompt, model),
          }),
        keep_alive: PING,
      }
    },
  })
}

/** `POST /messages/count_tokens`: an estimate, as Anthropic's own is one; no platform is asked. Throws AppError. */
export async function countTokens(
  { catalogue, body_reader }: Pick<GatewayDeps, 'catalogue' | 'body_reader'>,
  key: GatewayKey,
  exchange: Exchange,
): Promise<TokenCount> {
  const body = await body_reader.readJson(exchange, 'tokenCount')
  const { id } = requireModelAccess(catalogue, key, body.model, 'chat')
  return { input_tokens: estimateInput({ messages: parseMessages(body), ...parseTools(body) }, id) }
}
