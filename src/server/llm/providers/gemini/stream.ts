import { getField, isJsonObject, filterObjects, asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { createId } from '#server/core/ids.ts'
import { UpstreamError } from '../../chat.ts'
import type { ChatPart } from '../../chat.ts'
import type { StreamParser } from '../stream-parser.ts'
import { sumTokens, toUsagePart } from '../usage.ts'

/** What the platform did not want to say. The other reasons are its own failures (https://ai.google.dev/api/generate-content#FinishReason). */
const WITHHELD = /SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII/

/** Hears the responses of a stream, or the one response of `generateContent`. */
export function parseGeminiStream(): StreamParser {
  let calls = 0
  return (response, emit) => {
    const candidate = filterObjects(response['candidates'])[0]
    const blocked = asString(getField(response['promptFeedback'], 'blockReason'))
    const finish_reason = asString(candidate?.['finishReason'])
    const usage = response['usageMetadata']
    const reported = isJsonObject(usage) ? parseUsage(usage, finish_reason !== '') : null
    if (reported) emit(reported)
    if (blocked) throw new UpstreamError('upstream_rejected', `blockReason ${blocked}`)
    for (const part of filterObjects(getField(candidate?.['content'], 'parts'))) {
      const call = part['functionCall']
      if (isJsonObject(call)) emit(toToolCallPart(call, asString(part['thoughtSignature']), calls++))
      const text = asString(part['text'])
      if (text) emit({ type: part['thought'] === true ? 'reasoning' : 'delta', text })
    }
    if (finish_reason) emit({ type: 'finish', reason: toFinishReason(finish_reason, calls) })
  }
}

function toFinishReason(stop: string, calls: number): string {
  if (stop === 'MAX_TOKENS') return 'length'
  if (stop === 'STOP') return calls ? 'tool_calls' : 'stop'
  throw new UpstreamError(
    WITHHELD.test(stop) ? 'upstream_rejected' : 'upstream_failed',
    `finishReason ${stop}`,
  )
}

/** Calls come whole; older models give them no id. */
function toToolCallPart(call: JsonObject, signature: string, index: number): ChatPart {
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
 * https://ai.google.dev/api/generate-content#UsageMetadata: the candidates' tokens are without the thoughts', the prompt's
 * with the cached and without what tools of the platform put in. Each response reports so far: one before the last that
 * makes no sense yet is no news.
 */
function parseUsage(usage: JsonObject, isLast: boolean): ChatPart | null {
  const reasoning = usage['thoughtsTokenCount'] ?? 0
  const part = toUsagePart({
    input: sumTokens(usage['promptTokenCount'], usage['toolUsePromptTokenCount'] ?? 0),
    output: sumTokens(usage['candidatesTokenCount'] ?? 0, reasoning),
    cached: usage['cachedContentTokenCount'] ?? 0,
    reasoning,
  })
  return isLast || part.type === 'usage' ? part : null
}
