import type { ChatRequest, Content, PromptMessage } from '../chat.ts'
import { anthropicThinking } from './anthropic-thinking.ts'
import { isJson } from './event.ts'
import { argumentsOf, turnsOf } from './turns.ts'

const JSON_ONLY = 'Answer with one JSON object and nothing else: no words around it, no code fence.'

/**
 * The body of `POST /v1/messages` (https://platform.claude.com/docs/en/api/messages). There is no `seed`, and JSON
 * without a schema is asked for in words. What came in this shape goes on as it came.
 */
export function anthropicBody(model: string, request: ChatRequest): object {
  const { response_format: format, tools, max_tokens, passed_on } = request
  const { system, turns } = turnsOf(request.messages, blocksOf)
  const { output_config, ...thinking } = anthropicThinking(model, request)
  const schema = format?.type === 'json_schema' && { type: 'json_schema', schema: format.schema }
  const { output_config: wanted, ...own } = passed_on?.anthropic ?? {}
  const output = {
    ...output_config,
    ...(schema ? { format: schema } : {}),
    ...(isJson(wanted) ? wanted : {}),
  }
  const orders = format?.type === 'json_object' ? [system, JSON_ONLY] : [system]
  return {
    model,
    max_tokens,
    system: systemBlocks(request.messages) ?? (orders.filter(Boolean).join('\n\n') || undefined),
    messages: turns.map(({ by, parts }) => ({ role: by, content: parts })),
    stop_sequences: request.stop,
    tools: tools?.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    tool_choice: tools && toolChoice(request.tool_choice),
    ...own,
    ...thinking,
    ...(Object.keys(output).length ? { output_config: output } : {}),
    stream: true,
  }
}

function toolChoice(choice: ChatRequest['tool_choice']): object | undefined {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return choice && { type: choice === 'required' ? 'any' : choice }
}

/** The system's words as blocks, where they came so: one of them may bear a mark for the cache. */
function systemBlocks(messages: PromptMessage[]): object[] | undefined {
  const system = messages.filter(({ role }) => role === 'system')
  return system.some(({ blocks }) => blocks) ? system.flatMap(blocksOf) : undefined
}

function blocksOf(message: PromptMessage): object[] {
  if (message.blocks) return message.blocks
  const blocks = contentOf(message.content)
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: blocks }]
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const uses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: argumentsOf(call),
  }))
  return [...blocks, ...uses]
}

/** Empty texts are refused by the platform. */
function contentOf(content: Content): object[] {
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
