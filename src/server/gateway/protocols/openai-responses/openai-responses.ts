import type { GatewayKey } from '#server/keys/keys.ts'
import { handleChatCall } from '../../pipeline/pipeline.ts'
import type { GatewayDeps } from '../../pipeline/run-request.ts'
import type { Exchange } from '../../http/exchange.ts'
import { KEEP_ALIVE_COMMENT } from '../response-formatter.ts'
import { buildPrompt } from './prompt.ts'
import { createResponseWriter } from './stream.ts'
import { createResponseHeader, formatResponse } from './response.ts'

/** `POST /responses`. Throws AppError. */
export async function handleResponses(deps: GatewayDeps, key: GatewayKey, exchange: Exchange): Promise<void> {
  const body = await deps.body_reader.readJson(exchange, 'response')
  await handleChatCall(deps, key, exchange, {
    fingerprint: ['responses', body],
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    buildPrompt: (model) => buildPrompt(body, model),
    createFormatter: (run_id) => {
      const header = createResponseHeader(run_id, body)
      return {
        formatWhole: (ended) => formatResponse(header, ended),
        createWriter: () => createResponseWriter(header),
        keep_alive: KEEP_ALIVE_COMMENT,
      }
    },
  })
}
