import { newId } from '../../core/clock.ts'
import { UpstreamError } from '../chat.ts'
import type { ChatPart, JsonObject } from '../chat.ts'
import { field, isJson, objects, word } from './event.ts'
import type { Hear } from './event.ts'
import { sumOf, usagePart } from './usage.ts'

/** What the platform did not want to say. The other reasons are its own failures (https://ai.google.dev/api/generate-content#FinishReason). */
const WITHHELD = /SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII/

/** Hears the responses of a stream, or the one response of `generateContent`. */
export function hearGemini(): Hear {
  let calls = 0
  return (response, say) => {
    const candidate = objects(response['candidates'])[0]
    const blocked = word(field(response['promptFeedback'], 'blockReason'))
    const stop = word(candidate?.['finishReason'])
    const usage = response['usageMetadata']
    const reported = isJson(usage) ? usageOf(usage, stop !== '') : null
    if (reported) say(reported)
    if (blocked) throw new UpstreamError('upstream_rejected', `blockReason ${blocked}`)
    for (const part of objects(field(candidate?.['content'], 'parts'))) {
      const call = part['functionCall']
      if (isJson(call)) say(callOf(call, word(part['thoughtSignature']), calls++))
      const text = word(part['text'])
      if (text) say({ type: part['thought'] === true ? 'reasoning' : 'delta', text })
    }
    if (stop) say({ type: 'finish', reason: finishOf(stop, calls) })
  }
}

function finishOf(stop: string, calls: number): string {
  if (stop === 'MAX_TOKENS') return 'length'
  if (stop === 'STOP') return calls ? 'tool_calls' : 'stop'
  throw new UpstreamError(
    WITHHELD.test(stop) ? 'upstream_rejected' : 'upstream_failed',
    `finishReason ${stop}`,
  )
}

/** Calls come whole; older models give them no id. */
function callOf(call: JsonObject, signature: string, index: number): ChatPart {
  return {
    type: 'tool_call',
    index,
    id: word(call['id']) || `call_${newId()}`,
    name: word(call['name']),
    arguments: JSON.stringify(call['args'] ?? {}),
    ...(signature ? { signature } : {}),
  }
}

/**
 * https://ai.google.dev/api/generate-content#UsageMetadata: the candidates' tokens are without the thoughts', the prompt's
 * with the cached and without what tools of the platform put in. Each response reports so far: one before the last that
 * makes no sense yet is no news.
 */
function usageOf(usage: JsonObject, isLast: boolean): ChatPart | null {
  const reasoning = usage['thoughtsTokenCount'] ?? 0
  const part = usagePart({
    input: sumOf(usage['promptTokenCount'], usage['toolUsePromptTokenCount'] ?? 0),
    output: sumOf(usage['candidatesTokenCount'] ?? 0, reasoning),
    cached: usage['cachedContentTokenCount'] ?? 0,
    reasoning,
  })
  return isLast || part.type === 'usage' ? part : null
}
