import type { MessageBlock } from '#contract/gateway/messages.ts'
import { createAnthropicErrorBody } from '../../http/errors.ts'
import type { OutputIncrement, ResponseWriter } from '../../pipeline/response-writer.ts'
import { encodeCallId } from './call-ids.ts'
import { formatPicture, formatStop, UNKNOWN_USAGE_FIELDS, formatUsage } from './response.ts'
import type { MessageHeader } from './response.ts'

const event = (type: string, body: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`

export const PING = event('ping')

type Options = {
  request_id: string
  /** An estimate; the real count comes at the end. */
  input_tokens: number
}

/**
 * Writes a response as Anthropic's events (https://platform.claude.com/docs/en/build-with-claude/streaming): blocks one
 * after the other, each with its start, its deltas and its stop. No `message_stop` follows an error.
 */
export function createMessageWriter(
  head: MessageHeader,
  { request_id, input_tokens }: Options,
): ResponseWriter {
  let hasStarted = false
  let index = -1
  /** The block that is being written; `call` is the index of its tool call. */
  let current: { type: MessageBlock['type']; call: number | null } | null = null

  const writeMessageStart = (): string => {
    if (hasStarted) return ''
    hasStarted = true
    const nothing = { input: input_tokens, output: 0, cached: 0, cache_write: 0, reasoning: 0 }
    const usage = { ...formatUsage({ tokens: nothing, usage_source: 'counted' }), ...UNKNOWN_USAGE_FIELDS }
    return event('message_start', { message: { ...head, stop_reason: null, usage } })
  }
  const closeBlock = (): string => {
    if (!current) return ''
    current = null
    return event('content_block_stop', { index })
  }
  const startBlock = (contentBlock: MessageBlock, call: number | null = null): string => {
    const before = writeMessageStart() + closeBlock()
    current = { type: contentBlock.type, call }
    index += 1
    return before + event('content_block_start', { index, content_block: contentBlock })
  }
  const delta = (body: object): string => event('content_block_delta', { index, delta: body })
  const startThinking = (): string =>
    current?.type === 'thinking' ? '' : startBlock({ type: 'thinking', thinking: '', signature: '' })

  const writeToolCall = ({
    index: call,
    id,
    name,
    arguments: text,
  }: Extract<OutputIncrement, { type: 'tool_call' }>): string => {
    const isContinued = current?.call === call
    const block = {
      type: 'tool_use',
      id: encodeCallId(id),
      name,
      input: {},
      caller: { type: 'direct' },
    } as const
    const started = isContinued ? '' : startBlock(block, call)
    return text ? started + delta({ type: 'input_json_delta', partial_json: text }) : started
  }

  return {
    writePart(part) {
      if (part.type === 'delta') {
        const started = current?.type === 'text' ? '' : startBlock({ type: 'text', text: '' })
        return started + delta({ type: 'text_delta', text: part.text })
      }
      if (part.type === 'picture') {
        const started = current?.type === 'text' ? '' : startBlock({ type: 'text', text: '' })
        return started + delta({ type: 'text_delta', text: formatPicture(part.url) })
      }
      if (part.type === 'reasoning')
        return startThinking() + delta({ type: 'thinking_delta', thinking: part.text })
      if (part.type === 'tool_call') return writeToolCall(part)
      if (part.type !== 'signature') return ''
      const { signature, redacted } = part
      if (redacted) return startBlock({ type: 'redacted_thinking', data: signature }) + closeBlock()
      return startThinking() + delta({ type: 'signature_delta', signature }) + closeBlock()
    },

    writeEnd(result) {
      const stop = { ...formatStop(result), stop_details: null, container: null }
      return (
        writeMessageStart() +
        closeBlock() +
        event('message_delta', { delta: stop, usage: formatUsage(result.metered) }) +
        event('message_stop')
      )
    },

    writeError: (code, rejection) =>
      event('error', createAnthropicErrorBody(code, request_id, { rejection })),
  }
}
