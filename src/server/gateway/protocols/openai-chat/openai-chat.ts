import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import { handleChatCall } from '../../pipeline/pipeline.ts'
import type { GatewayDeps } from '../../pipeline/run-request.ts'
import type { Exchange } from '../../http/exchange.ts'
import { KEEP_ALIVE_COMMENT } from '../response-formatter.ts'
import { createChunkWriter } from './stream.ts'
import { formatCompletion, createCompletionHeader } from './response.ts'
import { buildPrompt } from './prompt.ts'

/** `POST /chat/completions`. Throws AppError. */
export async function handleChatCompletion(
  deps: GatewayDeps,
  key: GatewayKey,
  exchange: Exchange,
): Promise<void> {
  const body = await deps.body_reader.readJson(exchange, 'completion')
  if (body.background && body.stream) throw new AppError('bad_request', { fields: { stream: 'background' } })
  await handleChatCall(deps, key, exchange, {
    fingerprint: ['chat/completions', body],
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    sess_id: body.sess_id,
    background: body.background,
    buildPrompt: (model) => buildPrompt(body, model),
    createFormatter: (run_id, { model }) => {
      const header = createCompletionHeader(run_id, model)
      return {
        formatWhole: (ended) => formatCompletion(header, ended),
        createWriter: () => createChunkWriter(header, body.stream_options?.include_usage === true),
        keep_alive: KEEP_ALIVE_COMMENT,
      }
    },
  })
}
