import type { MessageBlock } from '#contract/messages.ts'
import { anthropicError } from '../anthropic-error.ts'
import type { Increment } from '../increments.ts'
import type { Writer } from '../shape.ts'
import { stopOf, UNKNOWN, usageOf } from './message.ts'
import type { Head } from './message.ts'

const event = (type: string, body: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`

export const PING = event('ping')

type Options = {
  request_id: string
  /** Estimated: what was really counted comes with the end. */
  input_tokens: number
}

/**
 * Writes an answer as Anthropic's events (https://platform.claude.com/docs/en/build-with-claude/streaming): blocks one
 * after the other, each with its start, its pieces and its stop. No `message_stop` follows an error.
 */
export function openMessageEvents(head: Head, { request_id, input_tokens }: Options): Writer {
  let begun = false
  let index = -1
  /** The block that is being written; `call` is the number of its call. */
  let open: { type: MessageBlock['type']; call: number | null } | null = null
  const calls = new Set<number>()
  /** A piece of a call came after its block was over. */
  let torn = false

  const begin = (): string => {
    if (begun) return ''
    begun = true
    const nothing = { input: input_tokens, output: 0, cached: 0, cache_write: 0, reasoning: 0 }
    const usage = { ...usageOf({ tokens: nothing, usage_source: 'counted' }), ...UNKNOWN }
    return event('message_start', { message: { ...head, stop_reason: null, usage } })
  }
  const close = (): string => {
    if (!open) return ''
    open = null
    return event('content_block_stop', { index })
  }
  const start = (content_block: MessageBlock, call: number | null = null): string => {
    const before = begin() + close()
    open = { type: content_block.type, call }
    index += 1
    return before + event('content_block_start', { index, content_block })
  }
  const delta = (body: object): string => event('content_block_delta', { index, delta: body })
  const think = (): string =>
    open?.type === 'thinking' ? '' : start({ type: 'thinking', thinking: '', signature: '' })

  const callPiece = ({
    index: call,
    id,
    name,
    arguments: text,
  }: Extract<Increment, { type: 'tool_call' }>): string => {
    const isGoingOn = open?.call === call
    torn ||= !isGoingOn && calls.has(call)
    if (torn) return ''
    calls.add(call)
    const block = { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } } as const
    const started = isGoingOn ? '' : start(block, call)
    return text ? started + delta({ type: 'input_json_delta', partial_json: text }) : started
  }

  return {
    part(part) {
      if (part.type === 'delta') {
        const started = open?.type === 'text' ? '' : start({ type: 'text', text: '', citations: null })
        return started + delta({ type: 'text_delta', text: part.text })
      }
      if (part.type === 'reasoning') return think() + delta({ type: 'thinking_delta', thinking: part.text })
      if (part.type === 'tool_call') return callPiece(part)
      const { signature, redacted } = part
      if (redacted) return start({ type: 'redacted_thinking', data: signature }) + close()
      return think() + delta({ type: 'signature_delta', signature }) + close()
    },

    end(ended) {
      if (torn) return this.error('upstream_malformed')
      const stop = { ...stopOf(ended), stop_details: null, container: null }
      return (
        begin() +
        close() +
        event('message_delta', { delta: stop, usage: usageOf(ended.metered) }) +
        event('message_stop')
      )
    },

    error: (code) => event('error', anthropicError(code, request_id)),
  }
}
