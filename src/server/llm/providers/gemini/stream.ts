import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { createId } from '#server/core/ids.ts'
import type { StreamPart } from '../../stream-part.ts'
import { UpstreamError } from '../../upstream-error.ts'
import type { StreamParser } from '../provider.ts'
import { sumTokens, toUsagePart } from '../usage.ts'

/** Content that the platform withheld; other reasons are failures (https://ai.google.dev/api/generate-content#FinishReason). */
const WITHHELD = /SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII/

/** Parses the responses of a stream, or the one response of `generateContent`. */
export function parseGeminiStream(): StreamParser {
  let calls = 0
  return (response, emit) => {
    const candidate = filterObjects(response['candidates'])[0]
    const blocked = asString(getField(response['promptFeedback'], 'blockReason'))
    const finishReason = asString(candidate?.['finishReason'])
    const usage = response['usageMetadata']
    const reported = isJsonObject(usage) ? parseUsage(usage, finishReason !== '') : null
    if (reported) emit(reported)
    if (blocked) throw createBlockedError(blocked)
    for (const part of filterObjects(getField(candidate?.['content'], 'parts'))) {
      const call = part['functionCall']
      if (isJsonObject(call)) emit(toToolCallPart(call, asString(part['thoughtSignature']), calls++))
      const url = toPictureUrl(part['inlineData'])
      if (url) emit({ type: 'picture', url })
      const text = asString(part['text'])
      if (text) emit({ type: part['thought'] === true ? 'reasoning' : 'delta', text })
    }
    if (finishReason) emit({ type: 'finish', reason: toFinishReason(finishReason, calls) })
  }
}

/** A picture that the model made, as a data URL; empty for anything else. */
function toPictureUrl(inline: unknown): string {
  const mediaType = asString(getField(inline, 'mimeType'))
  const data = asString(getField(inline, 'data'))
  return mediaType.startsWith('image/') && data ? `data:${mediaType};base64,${data}` : ''
}

/** The platform blocked the question itself. */
function createBlockedError(reason: string): UpstreamError {
  const rejection = { status: 400, code: reason, param: null, message: '' }
  return new UpstreamError('content_rejected', `blockReason ${reason}`, { rejection })
}

function toFinishReason(stop: string, calls: number): string {
  if (stop === 'MAX_TOKENS') return 'length'
  if (stop === 'STOP') return calls ? 'tool_calls' : 'stop'
  if (WITHHELD.test(stop)) return 'content_filter'
  throw new UpstreamError('upstream_failed', `finishReason ${stop}`)
}

/** Calls come whole; older models give them no id. */
function toToolCallPart(call: JsonObject, signature: string, index: number): StreamPart {
  return {
    type: 'tool_call',
    index,
    id: asString(call['id']) || `call_${createId()}`,
    name: asString(call['name']),
    arguments: JSON.stringify(call['args'] ?? {}),
    ...(signature ? { signature } : {}),
  }
}

/**
 * https://ai.google.dev/api/generate-content#UsageMetadata: the candidates' tokens exclude the thoughts'; the prompt's include
 * the cached ones and exclude those added by the platform's own tools. Each response reports the usage so far: before the last
 * one, a usage that cannot be true is ignored.
 */
function parseUsage(usage: JsonObject, isLast: boolean): StreamPart | null {
  const reasoning = usage['thoughtsTokenCount'] ?? 0
  const part = toUsagePart({
    input: sumTokens(usage['promptTokenCount'], usage['toolUsePromptTokenCount'] ?? 0),
    output: sumTokens(usage['candidatesTokenCount'] ?? 0, reasoning),
    cached: usage['cachedContentTokenCount'] ?? 0,
    reasoning,
    audio: countModality(usage, 'AUDIO'),
    image: countModality(usage, 'IMAGE'),
  })
  return isLast || part.type === 'usage' ? part : null
}

/** Tokens of sound or pictures in prompt and answer: https://ai.google.dev/api/generate-content#ModalityTokenCount */
function countModality(usage: JsonObject, modality: string): { input: unknown; output: unknown } {
  const count = (details: unknown): unknown =>
    filterObjects(details).find((one) => one['modality'] === modality)?.['tokenCount']
  return { input: count(usage['promptTokensDetails']), output: count(usage['candidatesTokensDetails']) }
}
