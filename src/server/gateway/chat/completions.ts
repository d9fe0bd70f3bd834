import { AppError } from '../../core/app-error.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import { answerCall } from '../call.ts'
import type { Parts } from '../request.ts'
import type { Exchange } from '../exchange.ts'
import { COMMENT } from '../shape.ts'
import { openChunks } from './chunks.ts'
import { completionOf, headOf } from './completion.ts'
import { promptOf } from './prompt.ts'

/** `POST /chat/completions`. Throws AppError. */
export async function complete(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const asked = await parts.bodies.read(exchange, 'completion')
  if (asked.background && asked.stream)
    throw new AppError('bad_request', { fields: { stream: 'background' } })
  await answerCall(parts, key, exchange, {
    sent: ['chat/completions', asked],
    model: asked.model,
    wishes: asked,
    stream: asked.stream === true,
    sess_id: asked.sess_id,
    background: asked.background,
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
