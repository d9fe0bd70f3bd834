import {
  countTokens,
  decodePicture,
  getQuestion,
  listParts,
  resolveFinishReason,
  resolveUsage,
  splitText,
} from './script.ts'
import { bindsThoughts, createBinding } from './refusals/anthropic-bindings.ts'
import type { Script, ProtocolDouble, ScriptedRequest } from './script.ts'
import { sign } from './signatures.ts'

const STOP: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}
const ERRORS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

type Block = { start: object; deltas: object[] }

/**
 * Anthropic's messages: https://platform.claude.com/docs/en/build-with-claude/streaming. The opening of a block stands in the
 * frame of its first piece, its end in the last one's.
 */
export const anthropic: ProtocolDouble = {
  parseRequest(_, body) {
    const { model, messages, stream } = body as { model?: string; messages?: unknown; stream?: boolean }
    const asked = { model: model ?? '', question: getQuestion(messages), stream: stream ?? false }
    const sent = body as Record<string, unknown>
    return bindsThoughts(sent) ? { ...asked, binding: createBinding(sent) } : asked
  },

  listPictures: (body) =>
    listParts<{ type: string; source?: { media_type?: string; data?: string } }>(
      (body as { messages: object[] }).messages,
    ).flatMap(({ type, source: { media_type, data } = {} }) =>
      type === 'image' && media_type && data !== undefined ? decodePicture(media_type, data) : [],
    ),

  *renderFrames({ model, question, binding }, script) {
    const { done = 1 } = script
    const usage = createUsage(question, script)
    const started = usage === null ? {} : { usage: { ...(usage as object), output_tokens: 1 } }
    const message = {
      ...createMessage(model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...started,
    }
    yield renderEvent('message_start', { message }) + renderEvent('ping', {})
    for (const [index, { start, deltas }] of createBlocks(script, binding).entries()) {
      for (const [position, delta] of deltas.entries()) {
        const before = position ? '' : renderEvent('content_block_start', { index, content_block: start })
        const after = position < deltas.length - 1 ? '' : renderEvent('content_block_stop', { index })
        yield before + renderEvent('content_block_delta', { index, delta }) + after
      }
    }
    const finish = resolveFinishReason(script)
    if (finish !== null) {
      const delta = { stop_reason: STOP[finish] ?? finish, stop_sequence: null }
      yield renderEvent('message_delta', { delta, ...(usage === null ? {} : { usage }) })
    }
    for (let index = 0; index < done; index += 1) yield renderEvent('message_stop', {})
  },

  renderBody({ model, question, binding }, script) {
    const { text = '', reasoning, tool_calls = [] } = script
    const finish = resolveFinishReason(script)
    const content = [
      ...(reasoning ? [{ type: 'thinking', thinking: reasoning, signature: sign(reasoning, binding) }] : []),
      ...(text ? [{ type: 'text', text }] : []),
      ...tool_calls.map(({ id, name, arguments: text }) => ({
        type: 'tool_use',
        id,
        name,
        input: JSON.parse(text || '{}') as unknown,
      })),
    ]
    const stopReason = finish === null ? null : (STOP[finish] ?? finish)
    return {
      ...createMessage(model),
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: createUsage(question, script),
    }
  },

  renderError: (status) => ({
    type: 'error',
    error: { type: ERRORS[status] ?? 'api_error', message: 'scripted' },
    request_id: 'req_script',
  }),
}

const createMessage = (model: string) => ({ id: 'msg_script', type: 'message', role: 'assistant', model })

function renderEvent(type: string, body: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`
}

function createBlocks(
  { text = '', reasoning = '', tool_calls = [], chars }: Script,
  binding: ScriptedRequest['binding'],
): Block[] {
  const thoughts = [...splitText(reasoning, chars)].map((thinking) => ({ type: 'thinking_delta', thinking }))
  const words = [...splitText(text, chars)].map((piece) => ({ type: 'text_delta', text: piece }))
  const blocks: Block[] = []
  if (thoughts.length) {
    const signed = { type: 'signature_delta', signature: sign(reasoning, binding) }
    blocks.push({ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [...thoughts, signed] })
  }
  if (words.length) blocks.push({ start: { type: 'text', text: '' }, deltas: words })
  for (const { id, name, arguments: json } of tool_calls) {
    // The first piece of a call's arguments is always empty.
    const deltas = ['', ...splitText(json, chars)].map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }))
    blocks.push({ start: { type: 'tool_use', id, name, input: {} }, deltas })
  }
  return blocks
}

function createUsage(question: string, script: Script): unknown {
  const { input, output, reasoning } = countTokens(question, script)
  return resolveUsage(script, {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output + reasoning,
  })
}
