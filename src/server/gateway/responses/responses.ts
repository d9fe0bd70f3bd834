import type { GatewayKey } from '../../keys/keys.ts'
import { answerCall } from '../call.ts'
import type { Parts } from '../request.ts'
import type { Exchange } from '../exchange.ts'
import { COMMENT } from '../shape.ts'
import { promptOf } from './prompt.ts'
import { openResponseEvents } from './response-events.ts'
import { headOf, responseOf } from './response.ts'

/** `POST /responses`. Throws AppError. */
export async function respond(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const asked = await parts.bodies.read(exchange, 'response')
  await answerCall(parts, key, exchange, {
    sent: ['responses', asked],
    model: asked.model,
    wishes: asked,
    stream: asked.stream === true,
    promptOf: (model) => promptOf(asked, model),
    shapeOf: (run_id) => {
      const head = headOf(run_id, asked)
      return {
        whole: (ended) => responseOf(head, ended),
        stream: () => openResponseEvents(head),
        keep_alive: COMMENT,
      }
    },
  })
}
