import type { ChatCompletionRequest, TextCompletionRequest } from '#contract/gateway/chat-completions.ts'
import type { TextCompletion } from '#contract/gateway/completion-answers.ts'
import { createOpenAiErrorBody } from '../../http/errors.ts'
import { KEEP_ALIVE_COMMENT } from '#server/core/event-stream/event-stream.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import type { ResponseWriter } from '../../pipeline/response-writer.ts'
import { buildPrompt } from './prompt.ts'
import { createCompletionHeader, formatUsage, toFinishReason } from './response.ts'

/**
 * OpenAI's legacy text completions: `POST /completions`, which clients use that take a model for one without chat. The prompt is
 * the user's only message; reasoning has no place in this shape.
 */
export const openAiCompletions: ProtocolAdapter<TextCompletionRequest> = {
  parse: ({ body }) => ({
    model: body.model,
    routing_options: body,
    stream: body.stream === true,
    buildPrompt: (entry) => buildPrompt(toChatRequest(body), entry),
  }),
  createFormatter({ body, run_id, request }) {
    const { created, model } = createCompletionHeader(run_id, request.model)
    const head = { id: `cmpl-${run_id}`, object: 'text_completion', created, model } as const
    return {
      formatWhole: (result) => ({
        ...head,
        choices: listAnswers(result).map(({ text, finish }, index) =>
          formatTextChoice(index, text, toFinishReason(finish)),
        ),
        usage: formatUsage(result),
      }),
      createWriter: () => createTextWriter(head, body.stream_options?.include_usage === true),
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
  ...sharedFields
}: TextCompletionRequest): ChatCompletionRequest {
  return { ...sharedFields, messages: [{ role: 'user', content: prompt }] }
}

const listAnswers = ({ text, response }: CachedResult): { text: string; finish: string | null }[] => [
  { text, finish: response.finish },
  ...(response.alternatives ?? []),
]

const formatTextChoice = (index: number, text: string, finishReason: string | null) =>
  ({ text, index, logprobs: null, finish_reason: finishReason }) satisfies TextCompletion['choices'][number]

type TextHead = Pick<TextCompletion, 'id' | 'object' | 'created' | 'model'>

/** Every chunk has the shape of the whole; usage and `[DONE]` come as in chat completions. */
function createTextWriter(head: TextHead, includeUsage: boolean): ResponseWriter {
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
  const chunk = (...choice: Parameters<typeof formatTextChoice>): string => {
    const completion: TextCompletion = { ...head, choices: [formatTextChoice(...choice)] }
    return event({ ...completion, ...(includeUsage ? { usage: null } : {}) })
  }
  return {
    writePart(part) {
      const [index, piece] = part.type === 'choice' ? [part.index, part.part] : [0, part]
      return piece.type === 'delta' ? chunk(index, piece.text, null) : ''
    },
    writeEnd(result: CachedResult) {
      const usage: TextCompletion = { ...head, choices: [], usage: formatUsage(result) }
      const ends = listAnswers(result).map(({ finish }, index) => chunk(index, '', toFinishReason(finish)))
      return `${ends.join('')}${includeUsage ? event(usage) : ''}data: [DONE]\n\n`
    },
    writeError: (code, rejection) => event(createOpenAiErrorBody(code, { rejection })),
  }
}
