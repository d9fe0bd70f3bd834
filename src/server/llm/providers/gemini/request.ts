import { parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getContentText } from '../../chat.ts'
import type { ChatRequest, Content, PromptMessage, ToolCall } from '../../chat.ts'
import { parseToolArguments, groupIntoTurns } from '../prompt-turns.ts'

/** Tokens to think with, of the models before Gemini 3; 0 turns it off where that is possible. */
const BUDGET = { none: 0, minimal: 1024, low: 1024, medium: 8192, high: 24_576 }

/** Gemini 3 refuses a call without its signature; this stands for the one of a call that another model made. */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator'

/** The body of `models.streamGenerateContent` (https://ai.google.dev/api/generate-content). */
export function buildGeminiBody(model: string, request: ChatRequest): object {
  const { tools, response_format: format } = request
  const isGemini3 = /^gemini-([3-9]|\d\d)/.test(model)
  const { system, turns } = groupIntoTurns(request.messages, createPartsMapper(request.messages, isGemini3))
  return {
    systemInstruction: system ? { parts: [{ text: system }] } : undefined,
    contents: turns.map(({ role, parts }) => ({ role: role === 'user' ? 'user' : 'model', parts })),
    tools: tools?.length ? [{ functionDeclarations: tools.map(toFunctionDeclaration) }] : undefined,
    toolConfig: tools?.length ? toToolConfig(request.tool_choice) : undefined,
    generationConfig: {
      maxOutputTokens: request.max_tokens,
      temperature: request.temperature,
      topP: request.top_p,
      topK: request.top_k,
      stopSequences: request.stop,
      seed: request.seed,
      responseMimeType: format && 'application/json',
      responseJsonSchema: format?.type === 'json_schema' ? format.schema : undefined,
      thinkingConfig: toThinkingConfig(request.reasoning_effort, isGemini3),
    },
  }
}

/** Only where it was asked for: models that do not think refuse it. https://ai.google.dev/gemini-api/docs/thinking */
function toThinkingConfig(effort: ChatRequest['reasoning_effort'], isGemini3: boolean): object | undefined {
  if (!effort) return undefined
  const includeThoughts = effort !== 'none'
  if (!isGemini3) return { includeThoughts, thinkingBudget: BUDGET[effort] }
  // The two levels that every one of them knows.
  return { includeThoughts, thinkingLevel: effort === 'medium' || effort === 'high' ? 'high' : 'low' }
}

const toFunctionDeclaration = ({
  name,
  description,
  parameters,
}: NonNullable<ChatRequest['tools']>[number]): object => ({
  name,
  description,
  // `parameters` takes a part of JSON schema only.
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

/** Gemini knows a result by the name of its function, which only the message with the call tells. */
function createPartsMapper(
  messages: PromptMessage[],
  isGemini3: boolean,
): (message: PromptMessage) => object[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  )
  const names = new Map(calls.map(({ id, name }) => [id, name]))
  return (message) => {
    if (message.role === 'tool') {
      const name = names.get(message.tool_call_id) ?? message.tool_call_id
      return [{ functionResponse: { name, response: toFunctionResult(message.content) } }]
    }
    const calls_of_message = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return [
      ...toContentParts(message.content),
      ...calls_of_message.map((call, index) => toCallPart(call, isGemini3 && index === 0)),
    ]
  }
}

/** Of calls that were made together only the first bears a signature. */
function toCallPart(call: ToolCall, needsSignature: boolean): object {
  const thoughtSignature = call.signature ?? (needsSignature ? FOREIGN_SIGNATURE : undefined)
  return { functionCall: { name: call.name, args: parseToolArguments(call) }, thoughtSignature }
}

function toFunctionResult(content: Content): JsonObject {
  const text = getContentText(content)
  return parseJsonObject(text) ?? { result: text }
}

function toContentParts(content: Content): object[] {
  if (typeof content === 'string') return content ? [{ text: content }] : []
  return content.flatMap((part): object[] => {
    if (part.type === 'text') return part.text ? [{ text: part.text }] : []
    if ('url' in part) return [{ fileData: { fileUri: part.url } }]
    return [{ inlineData: { mimeType: part.media_type, data: part.data } }]
  })
}
