import type { TokenCount } from '#contract/messages.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import { estimateInput } from '../../llm/estimate.ts'
import { answerCall } from '../call.ts'
import { usableModel } from '../request.ts'
import type { Parts } from '../request.ts'
import type { Exchange } from '../exchange.ts'
import { headOf, messageOf } from './message.ts'
import { openMessageEvents, PING } from './message-events.ts'
import { messagesOf, promptOf, toolsOf } from './prompt.ts'

/** `POST /messages`. Throws AppError. */
export async function message(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const asked = await parts.bodies.read(exchange, 'message')
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
            input_tokens: estimateInput(prompt, model),
          }),
        keep_alive: PING,
      }
    },
  })
}

/** `POST /messages/count_tokens`: an estimate, as Anthropic's own is one; no platform is asked. Throws AppError. */
export async function countTokens(
  { catalogue, bodies }: Pick<Parts, 'catalogue' | 'bodies'>,
  key: GatewayKey,
  exchange: Exchange,
): Promise<TokenCount> {
  const asked = await bodies.read(exchange, 'tokenCount')
  const { id } = usableModel(catalogue, key, asked.model, 'chat')
  return { input_tokens: estimateInput({ messages: messagesOf(asked), ...toolsOf(asked) }, id) }
}
