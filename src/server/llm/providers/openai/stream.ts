import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ChoicePart, PlatformFields, StreamPart } from '../../stream-part.ts'
import { createId } from '#server/core/ids.ts'
import type { Emit, ProviderTarget, StreamParser } from '../provider.ts'
import { sumTokens, toUsagePart } from '../usage.ts'

type ChoiceParser = (choice: JsonObject, chunk: JsonObject, emit: Emit, raw?: string) => void

/** Parses the chunks of a chat completion, or the completion itself (https://platform.openai.com/docs/api-reference/chat). */
export function parseOpenaiStream({ cumulative }: Pick<ProviderTarget, 'cumulative'>): StreamParser {
  const parseFirst = createChoiceParser(cumulative)
  let parseOther: ReturnType<typeof createOthersParser> | undefined
  return (chunk, emit, raw) => {
    const choices = filterObjects(chunk['choices'])
    // Moonshot reports the usage inside the choice.
    const usage = chunk['usage'] ?? choices[0]?.['usage']
    if (isJsonObject(usage)) emit(parseUsage(usage))
    const own_raw = choices.length === 1 && !isJsonObject(usage) ? raw : undefined
    for (const choice of choices) {
      const index = choice['index']
      if (typeof index === 'number' && index > 0)
        (parseOther ??= createOthersParser())(index, choice, chunk, emit)
      else parseFirst(choice, chunk, parseOther?.holdFinish(emit) ?? emit, own_raw)
    }
  }
}

/**
 * Parses the answers after the first, each by itself. The end of the first one is the end of the response: it is held back
 * until all others that have begun have ended.
 */
function createOthersParser() {
  const parsers = new Map<number, ChoiceParser>()
  const unfinished = new Set<number>()
  let held_finish: StreamPart | null = null
  const parse = (index: number, choice: JsonObject, chunk: JsonObject, emit: Emit): void => {
    const parser = parsers.get(index) ?? createChoiceParser(false)
    if (!parsers.has(index)) unfinished.add(index)
    parsers.set(index, parser)
    parser(choice, chunk, (part) => {
      if (part.type === 'finish') unfinished.delete(index)
      emit({ type: 'choice', index, part: part as ChoicePart })
    })
    if (held_finish && !unfinished.size) emit(held_finish)
  }
  const holdFinish = (emit: Emit): Emit =>
    unfinished.size
      ? (part) => {
          if (part.type === 'finish') held_finish = part
          else emit(part)
        }
      : emit
  return Object.assign(parse, { holdFinish })
}

function createChoiceParser(cumulative: boolean): ChoiceParser {
  const parseToolCallDelta = createToolCallParser()
  return (choice, chunk, emit, raw) => {
    const reason = asString(choice['finish_reason'])
    if (reason) emit({ type: 'finish', reason, ...parsePlatformFields(chunk) })
    const given = choice['delta'] ?? choice['message']
    // Names that stand here are looked up once for all chunks, those that a function is given for each.
    const message = isJsonObject(given) ? given : {}
    const reasoning = asString(message['reasoning_content'] ?? message['reasoning'])
    const text = asString(message['content'])
    const refusal = asString(message['refusal'])
    const call_deltas = filterObjects(message['tool_calls'])
    const annotations = filterObjects(message['annotations'])
    const isOnlyPart =
      !reason && !call_deltas.length && !annotations.length && !refusal && !(reasoning && text)
    const raw_event = isOnlyPart && raw !== undefined ? { raw } : {}
    if (reasoning) emit({ type: 'reasoning', text: reasoning, ...raw_event })
    const logprobs = filterObjects(getField(choice['logprobs'], 'content'))
    const token_logprobs = logprobs.length ? { logprobs } : {}
    if (text)
      emit(cumulative ? { type: 'replace', text } : { type: 'delta', text, ...raw_event, ...token_logprobs })
    if (refusal) emit({ type: 'delta', text: refusal, refusal: true })
    for (const piece of call_deltas) for (const part of parseToolCallDelta(piece)) emit(part)
    if (annotations.length) emit({ type: 'annotations', annotations })
  }
}

function parsePlatformFields(chunk: JsonObject): { platform_fields?: PlatformFields } {
  const system_fingerprint = asString(chunk['system_fingerprint'])
  const service_tier = asString(chunk['service_tier'])
  if (!system_fingerprint && !service_tier) return {}
  return {
    platform_fields: {
      ...(system_fingerprint ? { system_fingerprint } : {}),
      ...(service_tier ? { service_tier } : {}),
    },
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

/**
 * OpenAI's fields; the cached tokens of DeepSeek (`prompt_cache_hit_tokens`) and Moonshot (`cached_tokens`); what 百炼 writes
 * to a cache (`cache_creation_input_tokens`) and searches (`plugins`); the searches of Perplexity and of relays.
 */
function parseUsage(usage: JsonObject): StreamPart {
  const input = usage['prompt_tokens_details']
  const output = usage['completion_tokens_details']
  const reasoning = getField(output, 'reasoning_tokens') ?? 0
  return toUsagePart({
    input: usage['prompt_tokens'],
    output: isBeside(reasoning, usage)
      ? sumTokens(usage['completion_tokens'], reasoning)
      : usage['completion_tokens'],
    cached:
      getField(input, 'cached_tokens') ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'] ?? 0,
    reasoning,
    cache_write: getField(input, 'cache_write_tokens') ?? getField(input, 'cache_creation_input_tokens') ?? 0,
    audio: { input: getField(input, 'audio_tokens'), output: getField(output, 'audio_tokens') },
    image: { input: getField(input, 'image_tokens'), output: getField(output, 'image_tokens') },
    searches:
      getField(usage['server_tool_use'], 'web_search_requests') ??
      getField(getField(usage['plugins'], 'search'), 'count') ??
      usage['num_search_queries'],
  })
}

/** xAI counts the reasoning beside the completion, as the total shows; all others within it. */
function isBeside(reasoning: unknown, usage: JsonObject): boolean {
  if (reasoning === 0) return false
  return sumTokens(usage['prompt_tokens'], usage['completion_tokens'], reasoning) === usage['total_tokens']
}
