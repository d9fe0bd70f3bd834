import { messageRequest, tokenCountRequest } from '#contract/messages.ts'
import type { TokenCount } from '#contract/messages.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import { estimatePrompt, estimateTokens } from '../../llm/estimate.ts'
import { readBody } from '../body.ts'
import { answerCall } from '../call.ts'
import { usableModel } from '../request.ts'
import type { Parts } from '../request.ts'
import type { Exchange } from '../exchange.ts'
import { headOf, messageOf } from './message.ts'
import { openMessageEvents, PING } from './message-events.ts'
import { messagesOf, promptOf, toolsOf } from './prompt.ts'

/** `POST /messages`. Throws AppError. */
export async function message(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const asked = await readBody(exchange.request, messageRequest)
  await answerCall(parts, key, exchange, {
    sent: ['messages', asked],
    model: asked.model,
    wishes: asked,
    stream: asked.stream === true,
    promptOf: (model) => promptOf(asked, model),
    shapeOf: (run_id, { model, prompt }) => {
      const head = headOf(run_id, model)
      return {
        whole: (ended) => messageOf(head, ended),
        stream: () =>
          openMessageEvents(head, {
            request_id: exchange.request_id,
            input_tokens: estimatePrompt(prompt.messages, model),
          }),
        keep_alive: PING,
      }
    },
  })
}

/** `POST /messages/count_tokens`: an estimate, as Anthropic's own is one; no platform is asked. Throws AppError. */
export async function countTokens(
  { catalogue }: Pick<Parts, 'catalogue'>,
  key: GatewayKey,
  { request }: Exchange,
): Promise<TokenCount> {
  const asked = await readBody(request, tokenCountRequest)
  const { id } = usableModel(catalogue, key, asked.model, 'chat')
  const { tools } = toolsOf(asked)
  const input_tokens =
    estimatePrompt(messagesOf(asked), id) + estimateTokens(tools ? JSON.stringify(tools) : '', id)
  return { input_tokens }
}
