import { getField, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { isToolForced } from '../chat-request.ts'
import type { ChatRequest, PromptMessage } from '../chat-request.ts'
import type { Need } from '../needs.ts'

const JSON_ONLY = 'Answer with one JSON object and nothing else: no words around it, no code fence.'

/**
 * Rewrites a request whose platform cannot promise an answer of a certain form, or a call of a tool: the model is asked for it in
 * words, which most models follow, and the platform still promises as much of it as it can.
 */
export function askInWords(request: ChatRequest, lacks: readonly Need[]): ChatRequest {
  const { response_format: format, tool_choice } = request
  const asksForFormat = format && lacks.includes(format.type)
  const asksForCall = isToolForced(request) && lacks.includes('forced_tool')
  if (!asksForFormat && !asksForCall) return request
  const words = [
    ...(asksForFormat ? [describeFormat(format)] : []),
    ...(asksForCall ? [describeCall(tool_choice)] : []),
  ]
  const canPromiseJson = format?.type === 'json_schema' && !lacks.includes('json')
  return {
    ...request,
    messages: instruct(request.messages, words.join('\n\n')),
    ...(asksForFormat ? { response_format: canPromiseJson ? { type: 'json' } : undefined } : {}),
    ...(asksForCall ? { tool_choice: 'auto' } : {}),
    ...(request.provider_options?.anthropic
      ? {
          provider_options: {
            ...request.provider_options,
            anthropic: loosen(request.provider_options.anthropic, { asksForFormat, asksForCall }),
          },
        }
      : {}),
  }
}

/** Does the same in the fields of Anthropic's dialect. */
function loosen<Fields extends JsonObject>(
  { tool_choice: choice, output_config: output, ...fields }: Fields,
  { asksForFormat, asksForCall }: { asksForFormat: boolean | undefined; asksForCall: boolean },
): JsonObject {
  const { format: _, ...effort } = isJsonObject(output) ? output : {}
  const isSerial = getField(choice, 'disable_parallel_tool_use') === true
  const auto = { type: 'auto', ...(isSerial ? { disable_parallel_tool_use: true } : {}) }
  return {
    ...fields,
    tool_choice: asksForCall ? auto : choice,
    output_config: asksForFormat ? effort : output,
  }
}

function describeFormat(format: NonNullable<ChatRequest['response_format']>): string {
  if (format.type === 'json') return JSON_ONLY
  return `${JSON_ONLY} It must match this JSON schema:\n${JSON.stringify(format.schema)}`
}

const describeCall = (choice: ChatRequest['tool_choice']): string =>
  typeof choice === 'object'
    ? `Call the tool ${choice.name}; do not answer in words.`
    : 'Call one of the tools; do not answer in words.'

/** Adds instructions after those that a prompt begins with. */
function instruct(messages: PromptMessage[], content: string): PromptMessage[] {
  const firstTurn = messages.findIndex(({ role }) => role !== 'system')
  const at = firstTurn === -1 ? 0 : firstTurn
  return [...messages.slice(0, at), { role: 'system', content }, ...messages.slice(at)]
}
