import type { ErrorCode } from '#contract/errors.ts'
import type { Ended } from '../runs/finish.ts'
import type { Spoken } from '../runs/heard.ts'
import { finishReason, usageOf } from './completion.ts'
import type { Head } from './completion.ts'
import { openaiError } from './openai-error.ts'

export type Chunks = ReturnType<typeof openChunks>

const event = (data: string): string => `data: ${data}\n\n`

/**
 * Writes an answer as OpenAI's chunks (https://platform.openai.com/docs/api-reference/chat-streaming), each as the text
 * of its event. With `include_usage` the usage comes last, and every chunk before it bears a null.
 */
export function openChunks({ id, created, model }: Head, include_usage: boolean) {
  const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const rest = include_usage ? ',"usage":null}' : '}'
  const chunk = (delta: string, finish = 'null'): string =>
    event(`${head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]${rest}`)
  let begun = false
  /** What was sent of an answer that comes as its whole text so far, time and again. */
  let sent = ''

  const piece = (part: Spoken): string => {
    if (part.type === 'delta') return chunk(`{"content":${JSON.stringify(part.text)}}`)
    if (part.type === 'reasoning') return chunk(`{"reasoning_content":${JSON.stringify(part.text)}}`)
    if (part.type === 'tool_call') return chunk(callDelta(part))
    // What was sent cannot be taken back: only what goes on from there is sent.
    if (!part.text.startsWith(sent) || part.text === sent) return ''
    const more = part.text.slice(sent.length)
    sent = part.text
    return chunk(`{"content":${JSON.stringify(more)}}`)
  }

  return {
    part(part: Spoken): string {
      const text = piece(part)
      if (begun || !text) return text
      begun = true
      return chunk('{"role":"assistant","content":""}') + text
    },

    /** An answer that was kept, in one go. */
    all({ outcome, said }: Ended): string {
      const calls = said.tool_calls.map((call, index): Spoken => ({ type: 'tool_call', index, ...call }))
      const parts: Spoken[] = [
        { type: 'reasoning', text: said.reasoning },
        { type: 'delta', text: outcome.text },
        ...calls,
      ]
      return parts
        .filter((part) => !('text' in part) || part.text !== '')
        .map((part) => this.part(part))
        .join('')
    },

    /** The end of an answer: why it ended, its usage, `[DONE]`; after an error the error alone. */
    end({ outcome, said, metered }: Ended): string {
      const { state, code, text } = outcome
      if (state !== 'done') return this.error(code ?? 'internal')
      if (!text.startsWith(sent)) return this.error('upstream_malformed')
      const usage = event(`${head},"choices":[],"usage":${JSON.stringify(usageOf(metered))}}`)
      const finish = chunk('{}', JSON.stringify(finishReason(said.finish)))
      return `${finish}${include_usage ? usage : ''}data: [DONE]\n\n`
    },

    error: (code: ErrorCode): string => event(JSON.stringify(openaiError(code))),
  }
}

/** Id, type and name come with the first piece of a call only. */
function callDelta({ index, id, name, arguments: text }: Extract<Spoken, { type: 'tool_call' }>): string {
  const call = id
    ? { index, id, type: 'function', function: { name, arguments: text } }
    : { index, function: { arguments: text } }
  return JSON.stringify({ tool_calls: [call] })
}
