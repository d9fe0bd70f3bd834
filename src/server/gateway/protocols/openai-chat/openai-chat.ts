import type { ChatCompletionRequest } from '#contract/gateway/chat-completions.ts'
import { AppError } from '#server/core/app-error.ts'
import { KEEP_ALIVE_COMMENT } from '#server/core/event-stream/event-stream.ts'
import { createCompletionStore } from '../../pipeline/background.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { buildPrompt, listCustomNames, usesFunctions } from './prompt.ts'
import { createCompletionHeader, formatBackground, formatCompletion } from './response.ts'
import { createChunkWriter } from './stream.ts'

/** OpenAI's Chat Completions: `POST /chat/completions`. */
export const openAiChat: ProtocolAdapter<ChatCompletionRequest> = {
  parse({ body, key }) {
    const { model, sess_id, background, stream } = body
    if (background && stream) throw new AppError('bad_request', { fields: { stream: 'background' } })
    return {
      model,
      routing_options: body,
      stream: stream === true,
      sess_id,
      background,
      results: background ? createCompletionStore(key, model) : undefined,
      buildPrompt: (entry) => buildPrompt(body, entry),
    }
  },
  createFormatter({ body, run_id, request }) {
    const header = createCompletionHeader(run_id, request.model, {
      as_function: usesFunctions(body),
      customNames: listCustomNames(body),
    })
    return {
      formatWhole: (result) => formatCompletion(header, result),
      formatBackground: (state) => formatBackground(header, state),
      createWriter: () => createChunkWriter(header, body.stream_options?.include_usage === true),
      keep_alive: KEEP_ALIVE_COMMENT,
    }
  },
}
