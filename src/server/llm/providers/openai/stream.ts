import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { StreamPart } from '../../stream-part.ts'
import { createId } from '#server/core/ids.ts'
import type { ProviderTarget, StreamParser } from '../provider.ts'
import { toUsagePart } from '../usage.ts'

/** Parses the chunks of a chat completion, or the completion itself (https://platform.openai.com/docs/api-reference/chat). */
export function parseOpenaiStream({ cumulative }: Pick<ProviderTarget, 'cumulative'>): StreamParser {
  const parseToolCallDelta = createToolCallParser()
  return (chunk, emit, raw) => {
    const choice = filterObjects(chunk['choices'])[0]
    // Moonshot reports the usage inside the choice.
    const usage = chunk['usage'] ?? choice?.['usage']
    if (isJsonObject(usage)) emit(parseUsage(usage))
    if (!choice) return
    const reason = asString(choice['finish_reason'])
    if (reason) emit({ type: 'finish', reason })
    const message = choice['delta'] ?? choice['message']
    const reasoning = asString(getField(message, 'reasoning_content') ?? getField(message, 'reasoning'))
    const text = asString(getField(message, 'content'))
    const call_deltas = filterObjects(getField(message, 'tool_calls'))
    const isOnlyPart = !isJsonObject(usage) && !reason && !call_deltas.length && !(reasoning && text)
    const raw_event = isOnlyPart && raw !== undefined ? { raw } : {}
    if (reasoning) emit({ type: 'reasoning', text: reasoning, ...raw_event })
    const logprobs = filterObjects(getField(choice['logprobs'], 'content'))
    const token_logprobs = logprobs.length ? { logprobs } : {}
    if (text)
      emit(cumulative ? { type: 'replace', text } : { type: 'delta', text, ...raw_event, ...token_logprobs })
    for (const piece of call_deltas) for (const part of parseToolCallDelta(piece)) emit(part)
  }
}

/** Some servers leave the index out, send no id, or repeat id and name with every piece. */
function createToolCallParser(): (piece: JsonObject) => StreamPart[] {
  const ids = new Map<number, string>()
  return (piece) => {
    const id = asString(piece['id'])
    const given_index = piece['index']
    const isNew = id !== '' && ![...ids.values()].includes(id)
    const next = ids.size === 0 || isNew ? ids.size : ids.size - 1
    const index = Number.isSafeInteger(given_index) && Number(given_index) >= 0 ? Number(given_index) : next
    const raw = getField(piece['function'], 'arguments')
    const text = isJsonObject(raw) ? JSON.stringify(raw) : asString(raw)
    if (ids.has(index)) return text ? [{ type: 'tool_call', index, id: '', name: '', arguments: text }] : []
    const call_id = id || `call_${createId()}`
    ids.set(index, call_id)
    return [
      {
        type: 'tool_call',
        index,
        id: call_id,
        name: asString(getField(piece['function'], 'name')),
        arguments: text,
      },
    ]
  }
}

/** OpenAI's fields, and the cached tokens of DeepSeek (`prompt_cache_hit_tokens`) and Moonshot (`cached_tokens`). */
function parseUsage(usage: JsonObject): StreamPart {
  return toUsagePart({
    input: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached:
      getField(usage['prompt_tokens_details'], 'cached_tokens') ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cached_tokens'] ??
      0,
    reasoning: getField(usage['completion_tokens_details'], 'reasoning_tokens') ?? 0,
  })
}
