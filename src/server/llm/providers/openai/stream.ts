import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ChoicePart, PlatformFields, StreamPart } from '../../stream-part.ts'
import type { Emit, ProviderTarget, StreamParser } from '../provider.ts'
import { toFinishReason } from './finish-reason.ts'
import { createToolCallParser } from './tool-call-parser.ts'
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
    const ownRaw = choices.length === 1 && !isJsonObject(usage) ? raw : undefined
    for (const choice of choices) {
      const index = choice['index']
      if (typeof index === 'number' && index > 0)
        (parseOther ??= createOthersParser())(index, choice, chunk, emit)
      else parseFirst(choice, chunk, parseOther?.holdFinish(emit) ?? emit, ownRaw)
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
  let heldFinish: StreamPart | null = null
  const parse = (index: number, choice: JsonObject, chunk: JsonObject, emit: Emit): void => {
    const parser = parsers.get(index) ?? createChoiceParser(false)
    if (!parsers.has(index)) unfinished.add(index)
    parsers.set(index, parser)
    parser(choice, chunk, (part) => {
      if (part.type === 'finish') unfinished.delete(index)
      emit({ type: 'choice', index, part: part as ChoicePart })
    })
    if (heldFinish && !unfinished.size) emit(heldFinish)
  }
  const holdFinish = (emit: Emit): Emit =>
    unfinished.size
      ? (part) => {
          if (part.type === 'finish') heldFinish = part
          else emit(part)
        }
      : emit
  return Object.assign(parse, { holdFinish })
}

function createChoiceParser(cumulative: boolean): ChoiceParser {
  const parseToolCallDelta = createToolCallParser()
  const readDetails = createDetailsReader()
  return (choice, chunk, emit, raw) => {
    const reason = asString(choice['finish_reason'])
    const delta = choice['delta'] ?? choice['message']
    // Names that stand here are looked up once for all chunks; names that a function is given, once for each chunk.
    const message = isJsonObject(delta) ? delta : {}
    const content = message['content']
    const parts = Array.isArray(content) ? parseContentParts(content) : null
    const details = message['reasoning_details']
    const reasoning = parts?.reasoning || parseReasoning(message) || (details ? readDetails(details) : '')
    const text = parts ? parts.text : asString(content)
    const pictures = [...(parts?.pictures ?? []), ...listPictures(message['images'])]
    const refusal = asString(message['refusal'])
    const callDeltas = filterObjects(message['tool_calls'])
    const annotations = filterObjects(message['annotations'])
    const isOnlyPart =
      !reason &&
      !callDeltas.length &&
      !annotations.length &&
      !pictures.length &&
      !parts &&
      !refusal &&
      !(reasoning && text)
    const rawEvent = isOnlyPart && raw !== undefined ? { raw } : {}
    if (reasoning) emit({ type: 'reasoning', text: reasoning, ...rawEvent })
    const logprobs = filterObjects(getField(choice['logprobs'], 'content'))
    const tokenLogprobs = logprobs.length ? { logprobs } : {}
    if (text)
      emit(cumulative ? { type: 'replace', text } : { type: 'delta', text, ...rawEvent, ...tokenLogprobs })
    if (refusal) emit({ type: 'delta', text: refusal, refusal: true })
    for (const url of pictures) emit({ type: 'picture', url })
    for (const piece of callDeltas) for (const part of parseToolCallDelta(piece)) emit(part)
    if (annotations.length) emit({ type: 'annotations', annotations })
    if (reason) emit({ type: 'finish', reason: toFinishReason(reason), ...parsePlatformFields(chunk) })
  }
}

/** DeepSeek's name of the field, then OpenRouter's and vLLM's. */
const parseReasoning = ({ reasoning_content, reasoning }: JsonObject): string =>
  asString(reasoning_content) || asString(reasoning)

/**
 * Reads the parts in which OpenRouter and MiniMax send reasoning: MiniMax repeats all of it so far with each
 * (https://platform.minimaxi.com/docs/guides/text-m2-function-call, read on 2026-11-28).
 */
function createDetailsReader(): (details: unknown) => string {
  let sofar = ''
  return (details) => {
    const text = filterObjects(details)
      .map((one) => asString(one['text']) || asString(one['summary']))
      .join('')
    const isRepeated = sofar !== '' && text.length > sofar.length && text.startsWith(sofar)
    const added = isRepeated ? text.slice(sofar.length) : text
    sofar += added
    return added
  }
}

/** A content of several parts, as Mistral and Databricks send it when a model thinks: thinking, text, pictures. */
function parseContentParts(content: unknown[]): { text: string; reasoning: string; pictures: string[] } {
  const parts = filterObjects(content)
  const join = (texts: unknown[]): string => texts.map(asString).join('')
  const thoughts = parts.flatMap(({ thinking, summary, reasoning }) => {
    const inner = thinking ?? summary ?? reasoning
    return Array.isArray(inner) ? filterObjects(inner).map(({ text }) => text) : [inner]
  })
  return {
    text: join(parts.map(({ text }) => text)),
    reasoning: join(thoughts),
    pictures: listPictures(parts),
  }
}

/** Pictures as OpenRouter sends them. */
const listPictures = (parts: unknown): string[] =>
  filterObjects(parts).flatMap(({ image_url: image }) => {
    const url = asString(getField(image, 'url')) || asString(image)
    return url ? [url] : []
  })

function parsePlatformFields(chunk: JsonObject): { platform_fields?: PlatformFields } {
  const systemFingerprint = asString(chunk['system_fingerprint'])
  const serviceTier = asString(chunk['service_tier'])
  if (!systemFingerprint && !serviceTier) return {}
  return {
    platform_fields: {
      ...(systemFingerprint ? { system_fingerprint: systemFingerprint } : {}),
      ...(serviceTier ? { service_tier: serviceTier } : {}),
    },
  }
}

/**
 * Reads OpenAI's fields; the cached tokens of DeepSeek (`prompt_cache_hit_tokens`) and Moonshot (`cached_tokens`); the cache
 * writes (`cache_creation_input_tokens`) and searches (`plugins`) of 百炼; the searches of Perplexity and of relays.
 */
function parseUsage(usage: JsonObject): StreamPart {
  const input = usage['prompt_tokens_details']
  const output = usage['completion_tokens_details']
  const reportedTokens = getField(output, 'reasoning_tokens') ?? 0
  const reasoning = reportedTokens || countUntold(usage)
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

/** Counts reasoning that only the total includes, as at Google's address for clients of OpenAI. */
function countUntold({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): number {
  const counted = sumTokens(prompt_tokens, completion_tokens)
  const isMore = typeof counted === 'number' && counted > 0 && Number(total_tokens) > counted
  return isMore ? Number(total_tokens) - counted : 0
}

/** xAI counts the reasoning beside the completion, as the total shows; all others within it. */
function isBeside(reasoning: unknown, usage: JsonObject): boolean {
  if (reasoning === 0) return false
  return sumTokens(usage['prompt_tokens'], usage['completion_tokens'], reasoning) === usage['total_tokens']
}
