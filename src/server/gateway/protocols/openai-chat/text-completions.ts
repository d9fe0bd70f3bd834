import type {
  ChatCompletionRequest,
  TextCompletion,
  TextCompletionRequest,
} from '#contract/gateway/chat-completions.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import { KEEP_ALIVE_COMMENT } from '../../http/exchange.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import type { ResponseWriter } from '../../pipeline/response-writer.ts'
import { buildPrompt } from './prompt.ts'
import { createCompletionHeader, formatUsage, toFinishReason } from './response.ts'
import type { CompletionHeader } from './response.ts'

/**
 * OpenAI's legacy text completions: `POST /completions`, where clients ask that take a model for one without chat. The
 * prompt is the user's only message; reasoning has no place in this shape.
 */
export const openAiCompletions: ProtocolAdapter<TextCompletionRequest> = {
  parse: (body) => ({
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    buildPrompt: (entry) => buildPrompt(toChatRequest(body), entry),
  }),
  createFormatter({ body, run_id, request }) {
    const header = { ...createCompletionHeader(run_id, request.model), id: `cmpl-${run_id}` }
    return {
      formatWhole: ({ text, response, metered }) => ({
        ...formatChunk(header, text, toFinishReason(response.finish)),
        usage: formatUsage(metered),
      }),
      createWriter: () => createTextWriter(header, body.stream_options?.include_usage === true),
      keep_alive: KEEP_ALIVE_COMMENT,
    }
  },
}

function toChatRequest({
  prompt,
  echo: _echo,
  suffix: _suffix,
  best_of: _best_of,
  logprobs: _logprobs,
  ...shared_fields
}: TextCompletionRequest): ChatCompletionRequest {
  return { ...shared_fields, messages: [{ role: 'user', content: prompt }] }
}

const formatChunk = (
  { id, created, model }: CompletionHeader,
  text: string,
  finish_reason: string | null,
): TextCompletion => ({
  id,
  object: 'text_completion',
  created,
  model,
  choices: [{ text, index: 0, logprobs: null, finish_reason }],
})

/** Every chunk has the shape of the whole; usage and `[DONE]` as those of chat completions. */
function createTextWriter(header: CompletionHeader, include_usage: boolean): ResponseWriter {
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
  const chunk = (text: string, finish_reason: string | null): string =>
    event({ ...formatChunk(header, text, finish_reason), ...(include_usage ? { usage: null } : {}) })
  return {
    writePart: (part) => (part.type === 'delta' ? chunk(part.text, null) : ''),
    writeEnd({ response, metered }: CachedResult) {
      const usage = { ...formatChunk(header, '', null), choices: [], usage: formatUsage(metered) }
      const finish = chunk('', toFinishReason(response.finish))
      return `${finish}${include_usage ? event(usage) : ''}data: [DONE]\n\n`
    },
    writeError: (code, rejection) => event(createOpenAiErrorBody(code, { rejection })),
  }
}
