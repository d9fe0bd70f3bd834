import { UpstreamError } from '../chat.ts'
import type { ChatPart, JsonObject } from '../chat.ts'
import { field, isJson, objects, word } from './event.ts'
import type { Hear, Said, Say } from './event.ts'
import { sumOf, usagePart } from './usage.ts'

const FINISH: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
}

/** Hears the events of a message, or the message itself (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export function hearAnthropic(): Hear {
  let usage: JsonObject = {}
  let finish: Extract<ChatPart, { type: 'finish' }> = { type: 'finish', reason: 'stop' }
  const blocks = toolBlocks()

  const stopped = (ending: unknown, reported: unknown, say: Say): void => {
    const stop = field(ending, 'stop_reason')
    const stop_sequence = word(field(ending, 'stop_sequence'))
    usage = { ...usage, ...known(reported) }
    if (isJson(reported)) say(usageOf(usage))
    if (stop === 'refusal') throw new UpstreamError('upstream_rejected', 'stop_reason refusal')
    if (typeof stop !== 'string') return
    finish = { type: 'finish', reason: FINISH[stop] ?? stop, ...(stop_sequence ? { stop_sequence } : {}) }
  }

  return (event, say) => {
    switch (event['type']) {
      case 'message_start': {
        // Its output_tokens are those of the first piece: only message_delta knows the output.
        const { output_tokens: _, ...input } = known(field(event['message'], 'usage'))
        usage = input
        break
      }
      case 'content_block_start':
        blocks.start(event['index'], event['content_block'], say)
        break
      case 'content_block_delta':
        blocks.delta(event['index'], event['delta'], say)
        break
      case 'content_block_stop':
        blocks.stop(event['index'], say)
        break
      case 'message_delta':
        stopped(event['delta'], event['usage'], say)
        break
      case 'message_stop':
        say(finish)
        say({ type: 'end' })
        break
      case 'message':
        for (const [index, block] of objects(event['content']).entries()) {
          blocks.start(index, block, say)
          blocks.stop(index, say)
        }
        stopped(event, event['usage'], say)
        say(finish)
        break
      default:
      // A ping, or an event of a later version: those are to be ignored.
    }
  }
}

/** What was reported at all: nulls and zeros do not hide what an earlier event said. */
function known(reported: unknown): JsonObject {
  return isJson(reported) ? Object.fromEntries(Object.entries(reported).filter(([, value]) => value)) : {}
}

/** The input counts what was neither read from nor written to the cache: together they are the prompt. */
function usageOf(usage: JsonObject): ChatPart {
  const cached = usage['cache_read_input_tokens'] ?? 0
  const cache_write = usage['cache_creation_input_tokens'] ?? 0
  return usagePart({
    input: sumOf(usage['input_tokens'] ?? 0, cached, cache_write),
    output: usage['output_tokens'],
    cached,
    // Thoughts are part of the output; not every version tells them apart.
    reasoning: field(usage['output_tokens_details'], 'thinking_tokens') ?? 0,
    cache_write,
  })
}

/** Blocks of an answer; those of tools are numbered among themselves, as calls. */
function toolBlocks() {
  const calls = new Map<unknown, { index: number; written: boolean }>()
  const piece = (call: { index: number; written: boolean }, text: string): Said => {
    call.written = true
    return { type: 'tool_call', index: call.index, id: '', name: '', arguments: text }
  }
  return {
    start(at: unknown, block: unknown, say: Say): void {
      if (field(block, 'type') !== 'tool_use') return spoken(block, say)
      const input = field(block, 'input')
      const text = isJson(input) && Object.keys(input).length ? JSON.stringify(input) : ''
      const call = { index: calls.size, written: text !== '' }
      calls.set(at, call)
      const id = word(field(block, 'id'))
      say({ type: 'tool_call', index: call.index, id, name: word(field(block, 'name')), arguments: text })
    },
    delta(at: unknown, delta: unknown, say: Say): void {
      const call = calls.get(at)
      const text = word(field(delta, 'partial_json'))
      if (call && text) say(piece(call, text))
      else spoken(delta, say)
    },
    /** A call without arguments sends no piece of them, yet they are an object. */
    stop(at: unknown, say: Say): void {
      const call = calls.get(at)
      if (call && !call.written) say(piece(call, '{}'))
    },
  }
}

function spoken(block: unknown, say: Say): void {
  const thought = word(field(block, 'thinking'))
  if (thought) say({ type: 'reasoning', text: thought })
  const signature = word(field(block, 'signature'))
  if (signature) say({ type: 'signature', signature })
  const hidden = field(block, 'type') === 'redacted_thinking' ? word(field(block, 'data')) : ''
  if (hidden) say({ type: 'signature', signature: hidden, redacted: true })
  const text = word(field(block, 'text'))
  if (text) say({ type: 'delta', text })
}
