import type { ChatPart, JsonObject } from '../chat.ts'
import { newId } from '../../core/clock.ts'
import { field, isJson, objects, word } from './event.ts'
import type { Hear, Said } from './event.ts'
import { usagePart } from './usage.ts'

/** Hears the chunks of a chat completion, or the completion itself (https://platform.openai.com/docs/api-reference/chat). */
export function hearOpenai(cumulative: boolean): Hear {
  const callPiece = callPieces()
  return (chunk, say, raw) => {
    const choice = objects(chunk['choices'])[0]
    // Moonshot reports the usage inside the choice.
    const usage = chunk['usage'] ?? choice?.['usage']
    if (isJson(usage)) say(usageOf(usage))
    if (!choice) return
    const reason = word(choice['finish_reason'])
    if (reason) say({ type: 'finish', reason })
    const said = choice['delta'] ?? choice['message']
    const reasoning = word(field(said, 'reasoning_content') ?? field(said, 'reasoning'))
    const text = word(field(said, 'content'))
    const pieces = objects(field(said, 'tool_calls'))
    const isAll = !isJson(usage) && !reason && !pieces.length && !(reasoning && text)
    const asItCame = isAll && raw !== undefined ? { raw } : {}
    if (reasoning) say({ type: 'reasoning', text: reasoning, ...asItCame })
    const logprobs = objects(field(choice['logprobs'], 'content'))
    const measured = logprobs.length ? { logprobs } : {}
    if (text) say(cumulative ? { type: 'replace', text } : { type: 'delta', text, ...asItCame, ...measured })
    for (const piece of pieces) for (const part of callPiece(piece)) say(part)
  }
}

/** Some servers leave the index out, send no id, or repeat id and name with every piece. */
function callPieces(): (piece: JsonObject) => Said[] {
  const ids = new Map<number, string>()
  return (piece) => {
    const id = word(piece['id'])
    const given = piece['index']
    const isNew = id !== '' && ![...ids.values()].includes(id)
    const next = ids.size === 0 || isNew ? ids.size : ids.size - 1
    const index = Number.isSafeInteger(given) && Number(given) >= 0 ? Number(given) : next
    const raw = field(piece['function'], 'arguments')
    const text = isJson(raw) ? JSON.stringify(raw) : word(raw)
    if (ids.has(index)) return text ? [{ type: 'tool_call', index, id: '', name: '', arguments: text }] : []
    const own = id || `call_${newId()}`
    ids.set(index, own)
    return [
      { type: 'tool_call', index, id: own, name: word(field(piece['function'], 'name')), arguments: text },
    ]
  }
}

/** OpenAI's fields, and where cached tokens stand with DeepSeek (`prompt_cache_hit_tokens`) and Moonshot (`cached_tokens`). */
function usageOf(usage: JsonObject): ChatPart {
  return usagePart({
    input: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached:
      field(usage['prompt_tokens_details'], 'cached_tokens') ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cached_tokens'] ??
      0,
    reasoning: field(usage['completion_tokens_details'], 'reasoning_tokens') ?? 0,
  })
}
