import type { ResponseRequest, SentContent, SentItem } from '#contract/responses.ts'
import type { ModelEntry } from '../../llm/catalogue-schema.ts'
import type { ChatRequest, Content, PromptMessage } from '../../llm/chat.ts'
import { imageOf, schemaFormat, toolOf } from '../chat/prompt.ts'

/** A response's request as every dialect understands it. */
export function promptOf(asked: ResponseRequest, model: ModelEntry): ChatRequest {
  const { instructions, input, parallel_tool_calls, text, reasoning } = asked
  const first: PromptMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  const rest: PromptMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : messagesOf(input)
  const effort = reasoning?.effort ?? undefined
  return {
    messages: [...first, ...rest],
    max_tokens: Math.min(asked.max_output_tokens ?? model.max_tokens, model.max_tokens),
    temperature: asked.temperature ?? undefined,
    top_p: asked.top_p ?? undefined,
    reasoning_effort: effort === 'xhigh' ? 'high' : effort,
    response_format: formatOf(text?.format),
    ...toolsOf(asked),
    passed_on: {
      openai: {
        ...(typeof parallel_tool_calls === 'boolean' ? { parallel_tool_calls } : {}),
        ...(text?.verbosity ? { verbosity: text.verbosity } : {}),
      },
    },
  }
}

type Format = NonNullable<ResponseRequest['text']>['format']

function formatOf(format: Format): ChatRequest['response_format'] {
  if (!format || format.type === 'text') return undefined
  return format.type === 'json_object' ? format : schemaFormat(format)
}

function toolsOf({
  tools,
  tool_choice: choice,
}: ResponseRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  if (!tools?.length) return {}
  return {
    tools: tools.map(toolOf),
    tool_choice: typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? undefined),
  }
}

/** Calls that were made together, and the words before them, are one message. */
function messagesOf(items: SentItem[]): PromptMessage[] {
  const messages: PromptMessage[] = []
  for (const item of items) {
    const last = messages.at(-1)
    if (item.type === 'message') messages.push({ role: roleOf(item.role), content: contentOf(item.content) })
    else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: contentOf(item.output) })
    } else if (item.type === 'function_call') {
      const call = { id: item.call_id, name: item.name, arguments: item.arguments }
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push({ role: 'assistant', content: '', tool_calls: [call] })
    }
  }
  return messages
}

const roleOf = (role: Extract<SentItem, { type: 'message' }>['role']) =>
  role === 'developer' ? 'system' : role

function contentOf(content: SentContent): Content {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'input_image') return imageOf(part.image_url)
    return { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text }
  })
}
