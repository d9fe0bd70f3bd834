import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { StreamPart } from '../../stream-part.ts'
import type { Emit, StreamParser } from '../provider.ts'
import { sumTokens, toUsagePart } from '../usage.ts'

const FINISH_REASONS: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** Parses the events of a message, or the message itself (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export function parseAnthropicStream(): StreamParser {
  let usage: JsonObject = {}
  let finish: Extract<StreamPart, { type: 'finish' }> = { type: 'finish', reason: 'stop' }
  const blockParser = createBlockParser()

  const onStop = (message: unknown, reported: unknown, emit: Emit): void => {
    const stop = getField(message, 'stop_reason')
    const stopSequence = asString(getField(message, 'stop_sequence'))
    usage = { ...usage, ...dropEmptyFields(reported) }
    if (isJsonObject(reported)) emit(parseUsage(usage))
    if (typeof stop !== 'string') return
    finish = {
      type: 'finish',
      reason: FINISH_REASONS[stop] ?? stop,
      ...(stopSequence ? { stop_sequence: stopSequence } : {}),
    }
  }

  return (event, emit) => {
    switch (event['type']) {
      case 'message_start': {
        // Its output_tokens count the first piece only; message_delta has the whole output.
        const { output_tokens: _, ...input } = dropEmptyFields(getField(event['message'], 'usage'))
        usage = input
        break
      }
      case 'content_block_start':
        blockParser.start(event['index'], event['content_block'], emit)
        break
      case 'content_block_delta':
        blockParser.delta(event['index'], event['delta'], emit)
        break
      case 'content_block_stop':
        blockParser.stop(event['index'], emit)
        break
      case 'message_delta':
        onStop(event['delta'], event['usage'], emit)
        break
      case 'message_stop':
        emit(finish)
        return 'end'
      case 'message':
        for (const [index, block] of filterObjects(event['content']).entries()) {
          blockParser.start(index, block, emit)
          blockParser.stop(index, emit)
        }
        onStop(event, event['usage'], emit)
        emit(finish)
        break
      default:
      // A ping, or an event of a later API version: to be ignored.
    }
  }
}

/** Nulls and zeros must not hide what an earlier event reported. */
function dropEmptyFields(reported: unknown): JsonObject {
  return isJsonObject(reported)
    ? Object.fromEntries(Object.entries(reported).filter(([, value]) => value))
    : {}
}

/** The input excludes tokens read from or written to the cache: together they are the prompt. */
function parseUsage(usage: JsonObject): StreamPart {
  const cached = usage['cache_read_input_tokens'] ?? 0
  const cacheWrite = usage['cache_creation_input_tokens'] ?? 0
  return toUsagePart({
    input: sumTokens(usage['input_tokens'] ?? 0, cached, cacheWrite),
    output: usage['output_tokens'],
    cached,
    // Part of the output; not every version reports it separately.
    reasoning: getField(usage['output_tokens_details'], 'thinking_tokens') ?? 0,
    cache_write: cacheWrite,
    cache_write_1h: getField(usage['cache_creation'], 'ephemeral_1h_input_tokens') ?? 0,
    searches: getField(usage['server_tool_use'], 'web_search_requests'),
  })
}

/** Parses the content blocks of a response. Tool calls are numbered separately. */
function createBlockParser() {
  const calls = new Map<unknown, { index: number; hasArguments: boolean }>()
  const toArgumentsPart = (call: { index: number; hasArguments: boolean }, text: string): StreamPart => {
    call.hasArguments = true
    return { type: 'tool_call', index: call.index, id: '', name: '', arguments: text }
  }
  return {
    start(blockIndex: unknown, block: unknown, emit: Emit): void {
      if (getField(block, 'type') !== 'tool_use') return emitContent(block, emit)
      const input = getField(block, 'input')
      const text = isJsonObject(input) && Object.keys(input).length ? JSON.stringify(input) : ''
      const call = { index: calls.size, hasArguments: text !== '' }
      calls.set(blockIndex, call)
      const id = asString(getField(block, 'id'))
      emit({
        type: 'tool_call',
        index: call.index,
        id,
        name: asString(getField(block, 'name')),
        arguments: text,
      })
    },
    delta(blockIndex: unknown, delta: unknown, emit: Emit): void {
      const call = calls.get(blockIndex)
      const text = asString(getField(delta, 'partial_json'))
      if (call && text) emit(toArgumentsPart(call, text))
      else emitContent(delta, emit)
    },
    /** A call without arguments sends no piece of them, yet its arguments are an object. */
    stop(blockIndex: unknown, emit: Emit): void {
      const call = calls.get(blockIndex)
      if (call && !call.hasArguments) emit(toArgumentsPart(call, '{}'))
    },
  }
}

function emitContent(block: unknown, emit: Emit): void {
  const reasoning = asString(getField(block, 'thinking'))
  if (reasoning) emit({ type: 'reasoning', text: reasoning })
  const signature = asString(getField(block, 'signature'))
  if (signature) emit({ type: 'signature', signature })
  const redactedData =
    getField(block, 'type') === 'redacted_thinking' ? asString(getField(block, 'data')) : ''
  if (redactedData) emit({ type: 'signature', signature: redactedData, redacted: true })
  const text = asString(getField(block, 'text'))
  if (text) emit({ type: 'delta', text })
}
