import type { Ended } from '../../runs/finish.ts'
import type { Increment } from '../increments.ts'
import { openaiError } from '../openai-error.ts'
import type { Writer } from '../shape.ts'
import { finishReason, usageOf } from './completion.ts'
import type { Head } from './completion.ts'
import { openRename } from './rename.ts'

const event = (data: string): string => `data: ${data}\n\n`

/**
 * Writes an answer as OpenAI's chunks (https://platform.openai.com/docs/api-reference/chat-streaming). With
 * `include_usage` the usage comes last, and every chunk before it bears a null. No `[DONE]` follows an error.
 */
export function openChunks({ id, created, model }: Head, include_usage: boolean): Writer {
  const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const rest = include_usage ? ',"usage":null}' : '}'
  const chunk = (delta: string, { finish = 'null', logprobs = 'null' } = {}): string =>
    event(
      `${head},"choices":[{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]${rest}`,
    )
  const rename = openRename({ id, created, model })
  const bearsUsage = (raw: string): boolean => !include_usage || raw.includes('"usage":null')
  let begun = false

  return {
    part(part) {
      // Signatures are of use to their own platform only, and OpenAI's shape has no place for them.
      if (part.type === 'signature') return ''
      const asIs = 'raw' in part ? part.raw : undefined
      const raw = asIs && bearsUsage(asIs) ? rename(asIs) : null
      const text = raw === null ? chunk(deltaOf(part), logprobsOf(part)) : event(raw)
      if (begun) return text
      begun = true
      return chunk('{"role":"assistant","content":""}') + text
    },

    end({ said, metered }: Ended) {
      const usage = event(`${head},"choices":[],"usage":${JSON.stringify(usageOf(metered))}}`)
      const finish = chunk('{}', { finish: JSON.stringify(finishReason(said.finish)) })
      return `${finish}${include_usage ? usage : ''}data: [DONE]\n\n`
    },

    error: (code) => event(JSON.stringify(openaiError(code))),
  }
}

const logprobsOf = (part: Increment): { logprobs?: string } =>
  'logprobs' in part ? { logprobs: JSON.stringify({ content: part.logprobs, refusal: null }) } : {}

function deltaOf(part: Exclude<Increment, { type: 'signature' }>): string {
  if (part.type === 'delta') return `{"content":${JSON.stringify(part.text)}}`
  if (part.type === 'reasoning') return `{"reasoning_content":${JSON.stringify(part.text)}}`
  return callDelta(part)
}

/** Id, type and name come with the first piece of a call only. */
function callDelta({ index, id, name, arguments: text }: Extract<Increment, { type: 'tool_call' }>): string {
  const call = id
    ? { index, id, type: 'function', function: { name, arguments: text } }
    : { index, function: { arguments: text } }
  return JSON.stringify({ tool_calls: [call] })
}
