import { parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { toKnownEffort } from '../../catalogue/families.ts'
import type { Family } from '../../catalogue/families.ts'
import type { Effort } from '../../catalogue/family-schema.ts'
import { joinTexts, listMedia, writeBase64 } from '../../chat-request.ts'
import type { ChatRequest, Content, PromptMessage, ToolCall } from '../../chat-request.ts'
import type { ProviderRequest, ProviderTarget } from '../provider.ts'
import { parseToolArguments } from '../../prompt/call-arguments.ts'
import { groupIntoTurns, joinSystemText } from '../prompt-turns.ts'

/** Tokens for thinking, for models before Gemini 3; 0 turns it off where that is possible. */
const BUDGET = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}

/** The only type of document, beside text, that Gemini takes by its URL. */
const PDF = 'application/pdf'

/** Gemini 3 rejects a call without its signature; this stands in for the signature of another model's call. */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator'

/**
 * Builds a request for Gemini: `base_url` is the part before `/models/`, such as
 * `https://generativelanguage.googleapis.com/v1beta`.
 */
export function buildGeminiRequest(target: ProviderTarget, request: ChatRequest): ProviderRequest {
  const { base_url, api_key, model, family } = target
  return {
    url: `${base_url}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers: api_key ? { 'x-goog-api-key': api_key } : {},
    body: buildBody(family, request),
  }
}

/** The body of `models.streamGenerateContent` (https://ai.google.dev/api/generate-content). */
function buildBody(family: Family, request: ChatRequest): object {
  const { tools, response_format: format } = request
  // Models that think by levels (Gemini 3 and later) want their signatures back.
  const hasLevels = family.thinking?.forms?.[0] === 'level'
  const toParts = createPartsMapper(request.messages, hasLevels)
  const { system, turns } = groupIntoTurns(request.messages, { toParts })
  const instructions = joinSystemText(system)
  return {
    systemInstruction: instructions ? { parts: [{ text: instructions }] } : undefined,
    contents: turns.map(({ role, parts }) => ({ role: role === 'user' ? 'user' : 'model', parts })),
    tools: tools?.length ? [{ functionDeclarations: tools.map(toFunctionDeclaration) }] : undefined,
    toolConfig: tools?.length ? toToolConfig(request.tool_choice) : undefined,
    generationConfig: {
      maxOutputTokens: request.max_tokens,
      ...(family.refuses.includes('temperature')
        ? {}
        : { temperature: request.temperature, topP: request.top_p, topK: request.top_k }),
      stopSequences: request.stop_sequences,
      seed: request.seed,
      responseModalities: request.modalities?.map((modality) => modality.toUpperCase()),
      responseMimeType: format && 'application/json',
      responseJsonSchema: format?.type === 'json_schema' ? format.schema : undefined,
      thinkingConfig: toThinkingConfig(request.reasoning_effort, family),
    },
  }
}

/** Set only on request: models without thinking reject it. https://ai.google.dev/gemini-api/docs/thinking */
function toThinkingConfig(effort: Effort | undefined, { thinking }: Family): object | undefined {
  if (!effort || !thinking) return undefined
  const includeThoughts = effort !== 'none'
  if (thinking.forms?.[0] !== 'level') return { includeThoughts, thinkingBudget: BUDGET[effort] }
  const levels = thinking.efforts ?? ['low', 'high']
  return { includeThoughts, thinkingLevel: toKnownEffort(effort, levels) }
}

const toFunctionDeclaration = ({
  name,
  description,
  parameters,
}: NonNullable<ChatRequest['tools']>[number]): object => ({
  name,
  description,
  // `parameters` accepts only a subset of JSON schema.
  parametersJsonSchema: parameters,
})

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' }

function toToolConfig(choice: ChatRequest['tool_choice']): object | undefined {
  if (!choice) return undefined
  const config =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.name] }
      : { mode: MODES[choice] }
  return { functionCallingConfig: config }
}

/** Gemini knows a result by the name of its function, which only the message with the call has. */
function createPartsMapper(
  messages: PromptMessage[],
  hasLevels: boolean,
): (message: PromptMessage) => object[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  )
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  return (message) => {
    if (message.role === 'tool') {
      const name = names.get(message.tool_call_id) ?? message.tool_call_id
      const result = { functionResponse: { name, response: toFunctionResult(message.content) } }
      return [result, ...toContentParts(listMedia(message.content))]
    }
    const callsOfMessage = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return [
      ...toContentParts(message.content),
      ...callsOfMessage.map((call, index) => toCallPart(call, hasLevels && index === 0)),
    ]
  }
}

/** Only the first of parallel calls carries a signature. */
function toCallPart(call: ToolCall, needsSignature: boolean): object {
  const thoughtSignature = call.signature ?? (needsSignature ? FOREIGN_SIGNATURE : undefined)
  return { functionCall: { name: call.name, args: parseToolArguments(call) }, thoughtSignature }
}

function toFunctionResult(content: Content): JsonObject {
  const text = joinTexts(content)
  return parseJsonObject(text) ?? { result: text }
}

function toContentParts(content: Content): object[] {
  if (typeof content === 'string') return content ? [{ text: content }] : []
  return content.flatMap((part): object[] => {
    if (part.type === 'text') return part.text ? [{ text: part.text }] : []
    if (part.type === 'audio') return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.data } }]
    if ('url' in part)
      return [{ fileData: { fileUri: part.url, ...(part.type === 'file' ? { mimeType: PDF } : {}) } }]
    return [{ inlineData: { mimeType: part.media_type, data: writeBase64(part.data) } }]
  })
}
