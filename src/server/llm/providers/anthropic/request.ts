import { isJsonObject } from '#server/core/json.ts'
import type { ChatRequest, Content, PromptMessage } from '../../chat.ts'
import { buildThinkingFields } from './thinking.ts'
import { parseToolArguments, groupIntoTurns } from '../prompt-turns.ts'

const JSON_ONLY = 'Answer with one JSON object and nothing else: no words around it, no code fence.'

/**
 * The body of `POST /v1/messages` (https://platform.claude.com/docs/en/api/messages). There is no `seed`, and JSON
 * without a schema is asked for in words. What came in this shape goes on as it came.
 */
export function buildAnthropicBody(model: string, request: ChatRequest): object {
  const { response_format: format, tools, max_tokens, provider_options } = request
  const { system, turns } = groupIntoTurns(request.messages, toBlocks)
  const { output_config, ...thinking } = buildThinkingFields(model, request)
  const schema = format?.type === 'json_schema' && { type: 'json_schema', schema: format.schema }
  const { output_config: requested_output, ...own_fields } = provider_options?.anthropic ?? {}
  const output = {
    ...output_config,
    ...(schema ? { format: schema } : {}),
    ...(isJsonObject(requested_output) ? requested_output : {}),
  }
  const instructions = format?.type === 'json_object' ? [system, JSON_ONLY] : [system]
  return {
    model,
    max_tokens,
    system: toSystemBlocks(request.messages) ?? (instructions.filter(Boolean).join('\n\n') || undefined),
    messages: turns.map(({ role: by, parts }) => ({ role: by, content: parts })),
    stop_sequences: request.stop,
    tools: tools?.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    tool_choice: tools && toToolChoice(request.tool_choice),
    ...own_fields,
    ...thinking,
    ...(Object.keys(output).length ? { output_config: output } : {}),
    stream: true,
  }
}

function toToolChoice(choice: ChatRequest['tool_choice']): object | undefined {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return choice && { type: choice === 'required' ? 'any' : choice }
}

/** The system's words as blocks, where they came so: one of them may bear a mark for the cache. */
function toSystemBlocks(messages: PromptMessage[]): object[] | undefined {
  const system = messages.filter(({ role }) => role === 'system')
  return system.some(({ blocks }) => blocks) ? system.flatMap(toBlocks) : undefined
}

function toBlocks(message: PromptMessage): object[] {
  if (message.blocks) return message.blocks
  const blocks = toContentBlocks(message.content)
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: blocks }]
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const uses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseToolArguments(call),
  }))
  return [...blocks, ...uses]
}

/** Empty texts are refused by the platform. */
function toContentBlocks(content: Content): object[] {
  if (typeof content === 'string') return content ? [{ type: 'text', text: content }] : []
  return content.flatMap((part): object[] => {
    if (part.type === 'text') return part.text ? [part] : []
    const source =
      'url' in part
        ? { type: 'url', url: part.url }
        : { type: 'base64', media_type: part.media_type, data: part.data }
    return [{ type: 'image', source }]
  })
}
