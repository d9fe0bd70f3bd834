import type { SettledRun } from '#server/runs/settle.ts'
import type { OutputIncrement } from '../increments.ts'
import { createOpenAiErrorBody } from '../openai-error.ts'
import type { ResponseWriter } from '../response-formatter.ts'
import { toFinishReason, formatUsage } from './response.ts'
import type { CompletionHeader } from './response.ts'
import { createChunkRewriter } from './chunk-rewriter.ts'

const event = (data: string): string => `data: ${data}\n\n`

/**
 * Writes an answer as OpenAI's chunks (https://platform.openai.com/docs/api-reference/chat-streaming). With
 * `include_usage` the usage comes last, and every chunk before it bears a null. No `[DONE]` follows an error.
 */
export function createChunkWriter(
  { id, created, model }: CompletionHeader,
  include_usage: boolean,
): ResponseWriter {
  const prefix = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const suffix = include_usage ? ',"usage":null}' : '}'
  const chunk = (delta: string, { finish = 'null', logprobs = 'null' } = {}): string =>
    event(
      `${prefix},"choices":[{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]${suffix}`,
    )
  const rewrite = createChunkRewriter({ id, created, model })
  const hasUsage = (raw: string): boolean => !include_usage || raw.includes('"usage":null')
  let hasStarted = false

  return {
    writePart(part) {
      // Signatures are of use to their own platform only, and OpenAI's shape has no place for them.
      if (part.type === 'signature') return ''
      const upstream_chunk = 'raw' in part ? part.raw : undefined
      const raw = upstream_chunk && hasUsage(upstream_chunk) ? rewrite(upstream_chunk) : null
      const text = raw === null ? chunk(formatDelta(part), formatLogprobs(part)) : event(raw)
      if (hasStarted) return text
      hasStarted = true
      return chunk('{"role":"assistant","content":""}') + text
    },

    writeEnd({ said, metered }: SettledRun) {
      const usage = event(`${prefix},"choices":[],"usage":${JSON.stringify(formatUsage(metered))}}`)
      const finish = chunk('{}', { finish: JSON.stringify(toFinishReason(said.finish)) })
      return `${finish}${include_usage ? usage : ''}data: [DONE]\n\n`
    },

    writeError: (code) => event(JSON.stringify(createOpenAiErrorBody(code))),
  }
}

const formatLogprobs = (part: OutputIncrement): { logprobs?: string } =>
  'logprobs' in part ? { logprobs: JSON.stringify({ content: part.logprobs, refusal: null }) } : {}

function formatDelta(part: Exclude<OutputIncrement, { type: 'signature' }>): string {
  if (part.type === 'delta') return `{"content":${JSON.stringify(part.text)}}`
  if (part.type === 'reasoning') return `{"reasoning_content":${JSON.stringify(part.text)}}`
  return formatToolCallDelta(part)
}

/** Id, type and name come with the first piece of a call only. */
function formatToolCallDelta({
  index,
  id,
  name,
  arguments: text,
}: Extract<OutputIncrement, { type: 'tool_call' }>): string {
  const call = id
    ? { index, id, type: 'function', function: { name, arguments: text } }
    : { index, function: { arguments: text } }
  return JSON.stringify({ tool_calls: [call] })
}
