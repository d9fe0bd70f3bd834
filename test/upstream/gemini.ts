import { countsOf, finishOf, pieces, questionOf, usageOr } from './script.ts'
import type { Script, ScriptedCall, Voice } from './script.ts'

const FINISH: Record<string, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
}
const ERRORS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

/**
 * Gemini's content generation: https://ai.google.dev/api/generate-content. Calls come whole, lines end with CRLF, and the
 * end is the last response's finishReason, without a word after it.
 */
export const gemini: Voice = {
  asked(path, body) {
    const [, model = '', method] = /\/models\/([^/:]+):(\w+)/.exec(path) ?? []
    const { contents } = body as { contents?: unknown }
    const question = questionOf(contents)
    return { model: decodeURIComponent(model), question, stream: method === 'streamGenerateContent' }
  },

  *frames({ model, question }, script) {
    const { text = '', reasoning = '', tool_calls = [], chars } = script
    const { input } = countsOf(question, script)
    const usage = usageOf(question, script)
    const sofar = usage === null ? {} : { usageMetadata: { promptTokenCount: input, totalTokenCount: input } }
    const said = (part: object): string => event(model, { content: { role: 'model', parts: [part] } }, sofar)

    yield said({ text: '' })
    for (const piece of pieces(reasoning, chars)) yield said({ text: piece, thought: true })
    for (const piece of pieces(text, chars)) yield said({ text: piece })
    for (const call of tool_calls) yield said(callPart(call))
    const finish = finishOf(script)
    if (finish === null) return
    const last = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: FINISH[finish] ?? finish }
    yield event(model, last, usage === null ? {} : { usageMetadata: usage })
  },

  whole({ model, question }, script) {
    const { text = '', reasoning, tool_calls = [] } = script
    const finish = finishOf(script)
    const parts = [
      ...(reasoning ? [{ text: reasoning, thought: true }] : []),
      ...(text ? [{ text }] : []),
      ...tool_calls.map(callPart),
    ]
    const finishReason = finish === null ? undefined : (FINISH[finish] ?? finish)
    const candidates = [{ content: { role: 'model', parts }, finishReason, index: 0 }]
    return { candidates, usageMetadata: usageOf(question, script), modelVersion: model }
  },

  error: (status) => ({
    error: { code: status, message: 'scripted', status: ERRORS[status] ?? 'INTERNAL' },
  }),
}

function event(model: string, candidate: object, usage: object): string {
  const candidates = [{ ...candidate, index: 0 }]
  const response = { candidates, ...usage, modelVersion: model, responseId: 'script' }
  return `data: ${JSON.stringify(response)}\r\n\r\n`
}

function callPart({ id, name, arguments: json, signature }: ScriptedCall): object {
  const args = JSON.parse(json || '{}') as unknown
  return { functionCall: { id: id || undefined, name, args }, thoughtSignature: signature }
}

function usageOf(question: string, script: Script): unknown {
  const { input, output, reasoning } = countsOf(question, script)
  return usageOr(script, {
    promptTokenCount: input,
    candidatesTokenCount: output,
    ...(reasoning ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + output + reasoning,
  })
}
