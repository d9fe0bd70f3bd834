import { completionRequest } from '#contract/gateway.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import { readBody } from '../body.ts'
import { answerCall } from '../call.ts'
import type { Parts } from '../request.ts'
import type { Exchange } from '../exchange.ts'
import { COMMENT } from '../shape.ts'
import { openChunks } from './chunks.ts'
import { completionOf, headOf } from './completion.ts'
import { promptOf } from './prompt.ts'

/** `POST /chat/completions`. Throws AppError. */
export async function complete(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const asked = await readBody(exchange.request, completionRequest)
  await answerCall(parts, key, exchange, {
    sent: ['chat/completions', asked],
    model: asked.model,
    wishes: asked,
    stream: asked.stream === true,
    promptOf: (model) => promptOf(asked, model),
    shapeOf: (run_id, { model }) => {
      const head = headOf(run_id, model)
      return {
        whole: (ended) => completionOf(head, ended),
        stream: () => openChunks(head, asked.stream_options?.include_usage === true),
        keep_alive: COMMENT,
      }
    },
  })
}
