import type { ResponseRequest, ResponseInputContent, ResponseInputItem } from '#contract/gateway/responses.ts'
import type { ModelEntry, ChatRequest, Content, PromptMessage } from '#server/llm/llm.ts'
import { parseImageUrl, createSchemaFormat, parseTool } from '../openai-chat/prompt.ts'

/** A response's request as every platform understands it. */
export function buildPrompt(body: ResponseRequest, model: ModelEntry): ChatRequest {
  const { instructions, input, parallel_tool_calls, text, reasoning } = body
  const first: PromptMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  const rest: PromptMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : parseMessages(input)
  const effort = reasoning?.effort ?? undefined
  return {
    messages: [...first, ...rest],
    max_tokens: Math.min(body.max_output_tokens ?? model.max_tokens, model.max_tokens),
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    reasoning_effort: effort === 'xhigh' ? 'high' : effort,
    response_format: parseResponseFormat(text?.format),
    ...parseTools(body),
    provider_options: {
      openai: {
        ...(typeof parallel_tool_calls === 'boolean' ? { parallel_tool_calls } : {}),
        ...(text?.verbosity ? { verbosity: text.verbosity } : {}),
      },
    },
  }
}

type TextFormat = NonNullable<ResponseRequest['text']>['format']

function parseResponseFormat(format: TextFormat): ChatRequest['response_format'] {
  if (!format || format.type === 'text') return undefined
  return format.type === 'json_object' ? { type: 'json' } : createSchemaFormat(format)
}

function parseTools({
  tools,
  tool_choice: choice,
}: ResponseRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  if (!tools?.length) return {}
  return {
    tools: tools.map(parseTool),
    tool_choice: typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? undefined),
  }
}

/** Tool calls that were made together, and the text before them, are one message. */
function parseMessages(items: ResponseInputItem[]): PromptMessage[] {
  const messages: PromptMessage[] = []
  for (const item of items) {
    const last = messages.at(-1)
    if (item.type === 'message')
      messages.push({ role: parseRole(item.role), content: parseContent(item.content) })
    else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: parseContent(item.output) })
    } else if (item.type === 'function_call') {
      const call = { id: item.call_id, name: item.name, arguments: item.arguments }
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push({ role: 'assistant', content: '', tool_calls: [call] })
    }
  }
  return messages
}

const parseRole = (role: Extract<ResponseInputItem, { type: 'message' }>['role']) =>
  role === 'developer' ? 'system' : role

function parseContent(content: ResponseInputContent): Content {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'input_image') return parseImageUrl(part.image_url)
    return { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text }
  })
}
