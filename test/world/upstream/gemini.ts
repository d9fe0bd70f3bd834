import {
  countTokens,
  decodePicture,
  getQuestion,
  listParts,
  resolveFinishReason,
  resolveUsage,
  splitText,
} from './script.ts'
import type { Script, ScriptedCall, ProtocolDouble } from './script.ts'
import { sign } from './signatures.ts'

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
 * Gemini's content generation: https://ai.google.dev/api/generate-content. Calls come whole, lines end with CRLF, and the end is
 * the last response's finishReason, without a further event.
 */
export const gemini: ProtocolDouble = {
  parseRequest(path, body) {
    const [, model = '', method] = /\/models\/([^/:]+):(\w+)/.exec(path) ?? []
    const { contents } = body as { contents?: unknown }
    const question = getQuestion(contents)
    return { model: decodeURIComponent(model), question, stream: method === 'streamGenerateContent' }
  },

  listPictures: (body) =>
    listParts<{ inlineData?: { mimeType: string; data: string } }>(
      (body as { contents: object[] }).contents,
    ).flatMap(({ inlineData }) =>
      inlineData?.mimeType.startsWith('image/') ? decodePicture(inlineData.mimeType, inlineData.data) : [],
    ),

  *renderFrames({ model, question }, script) {
    const { text = '', reasoning = '', tool_calls = [], chars } = script
    const { input } = countTokens(question, script)
    const usage = createUsage(question, script)
    const sofar = usage === null ? {} : { usageMetadata: { promptTokenCount: input, totalTokenCount: input } }
    const renderPart = (part: object): string =>
      renderEvent(model, { content: { role: 'model', parts: [part] } }, sofar)

    yield renderPart({ text: '' })
    for (const piece of splitText(reasoning, chars)) yield renderPart({ text: piece, thought: true })
    for (const piece of splitText(text, chars)) yield renderPart({ text: piece })
    for (const part of tool_calls.map(createCallPart)) yield renderPart(part)
    const finish = resolveFinishReason(script)
    if (finish === null) return
    const last = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: FINISH[finish] ?? finish }
    yield renderEvent(model, last, usage === null ? {} : { usageMetadata: usage })
  },

  renderBody({ model, question }, script) {
    const { text = '', reasoning, tool_calls = [] } = script
    const finish = resolveFinishReason(script)
    const parts = [
      ...(reasoning ? [{ text: reasoning, thought: true }] : []),
      ...(text ? [{ text }] : []),
      ...tool_calls.map(createCallPart),
    ]
    const finishReason = finish === null ? undefined : (FINISH[finish] ?? finish)
    const candidates = [{ content: { role: 'model', parts }, finishReason, index: 0 }]
    return { candidates, usageMetadata: createUsage(question, script), modelVersion: model }
  },

  renderError: (status) => ({
    error: { code: status, message: 'scripted', status: ERRORS[status] ?? 'INTERNAL' },
  }),
}

function renderEvent(model: string, candidate: object, usage: object): string {
  const candidates = [{ ...candidate, index: 0 }]
  const response = { candidates, ...usage, modelVersion: model, responseId: 'script' }
  return `data: ${JSON.stringify(response)}\r\n\r\n`
}

/** Signs only the first of parallel calls. */
function createCallPart({ id, name, arguments: json, signature }: ScriptedCall, index: number): object {
  const args = JSON.parse(json || '{}') as unknown
  const thoughtSignature = signature ?? (index ? undefined : sign(name))
  return { functionCall: { id: id || undefined, name, args }, thoughtSignature }
}

function createUsage(question: string, script: Script): unknown {
  const { input, output, reasoning } = countTokens(question, script)
  return resolveUsage(script, {
    promptTokenCount: input,
    candidatesTokenCount: output,
    ...(reasoning ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + output + reasoning,
  })
}
