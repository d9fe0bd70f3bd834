import type { ResponseTool } from '#contract/gateway/response-tools.ts'
import type { ResponseRequest, ResponseInputContent, ResponseInputItem } from '#contract/gateway/responses.ts'
import type {
  ModelEntry,
  ChatRequest,
  Content,
  ContentPart,
  PromptMessage,
  Reasoning,
  ToolCall,
} from '#server/llm/llm.ts'
import { createSchemaFormat, parseAudio, parseImageUrl } from '../openai-chat/prompt.ts'
import { createFileUrl, parseFile } from '../parts.ts'
import { encodeCustomInput } from '../custom-input.ts'
import { parseReasoning } from './reasoning-items.ts'
import { SEARCH_NAME } from './tools.ts'
import type { ToolNames } from './tools.ts'

type Tools = Pick<ChatRequest, 'tools' | 'tool_choice'>

/** Converts a response's request to a prompt that every platform understands. */
export function buildPrompt(
  body: ResponseRequest,
  model: ModelEntry,
  { names, tools }: { names: ToolNames; tools: Tools },
): ChatRequest {
  const { instructions, input, parallel_tool_calls, text, reasoning } = body
  const first: PromptMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  const rest: PromptMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : parseMessages(input, names)
  return {
    messages: [...first, ...rest],
    max_tokens: Math.min(body.max_output_tokens ?? model.max_tokens, model.max_tokens),
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    reasoning_effort: reasoning?.effort ?? undefined,
    response_format: parseResponseFormat(text?.format),
    ...tools,
    provider_options: {
      openai: {
        ...(typeof parallel_tool_calls === 'boolean' ? { parallel_tool_calls } : {}),
        ...(text?.verbosity ? { verbosity: text.verbosity } : {}),
        ...(hasLogprobs(body) ? { logprobs: true, top_logprobs: body.top_logprobs } : {}),
        prompt_cache_key: body.prompt_cache_key,
        safety_identifier: body.safety_identifier,
        user: body.user,
      },
    },
  }
}

/** Log probabilities are requested by name, or by the number of alternatives for each token. */
const hasLogprobs = ({ include, top_logprobs }: ResponseRequest): boolean =>
  Boolean(top_logprobs) || (include ?? []).includes('message.output_text.logprobs')

type TextFormat = NonNullable<ResponseRequest['text']>['format']

function parseResponseFormat(format: TextFormat): ChatRequest['response_format'] {
  if (!format || format.type === 'text') return undefined
  return format.type === 'json_object' ? { type: 'json' } : createSchemaFormat(format)
}

/** Tool calls that were made together, the text before them and the reasoning before that become one message. */
function parseMessages(items: ResponseInputItem[], names: ToolNames): PromptMessage[] {
  const messages: PromptMessage[] = []
  /** Belongs to the answer that comes next. */
  let reasoning: Reasoning | null = null
  for (const item of items) {
    if (item.type === 'reasoning') {
      reasoning = joinReasoning(reasoning, parseReasoning(item))
      continue
    }
    const call = parseToolCall(item, names)
    const last = messages.at(-1)
    if (call && last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
    else if (call) messages.push({ role: 'assistant', content: '', tool_calls: [call] })
    else messages.push(...parseMessage(item, names))
    const answer = messages.at(-1)
    if (reasoning && answer?.role === 'assistant')
      answer.reasoning = joinReasoning(answer.reasoning ?? null, reasoning)!
    reasoning = null
  }
  return messages
}

function joinReasoning(first: Reasoning | null, second: Reasoning | null): Reasoning | null {
  if (!first || !second) return first ?? second
  const signed = [...(first.signed ?? []), ...(second.signed ?? [])]
  return { text: `${first.text}\n\n${second.text}`, ...(signed.length ? { signed } : {}) }
}

function parseToolCall(item: ResponseInputItem, names: ToolNames): ToolCall | null {
  switch (item.type) {
    case 'function_call':
      return { id: item.call_id, name: names.toPlatformName(item), arguments: item.arguments }
    case 'custom_tool_call':
      return { id: item.call_id, name: names.toPlatformName(item), arguments: encodeCustomInput(item.input) }
    case 'tool_search_call':
      return item.call_id
        ? { id: item.call_id, name: SEARCH_NAME, arguments: JSON.stringify(item.arguments ?? {}) }
        : null
    case 'local_shell_call':
      return { id: item.call_id, name: 'local_shell', arguments: JSON.stringify(item.action) }
    default:
      return null
  }
}

/** Empty for an item that no model can read. */
function parseMessage(item: ResponseInputItem, names: ToolNames): PromptMessage[] {
  switch (item.type) {
    case 'message':
      return [{ role: parseRole(item.role), content: parseContent(item.content) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', tool_call_id: item.call_id, content: parseContent(item.output) }]
    case 'tool_search_output':
      return item.call_id
        ? [{ role: 'tool', tool_call_id: item.call_id, content: describeFound(item.tools, names) }]
        : []
    case 'local_shell_call_output':
      return [{ role: 'tool', tool_call_id: item.call_id ?? item.id ?? '', content: item.output }]
    default:
      return []
  }
}

/** Names the tools that a search found, which are declared from then on, by their names at the platforms. */
function describeFound(tools: ResponseTool[], names: ToolNames): string {
  const platformNames = tools.flatMap((tool) => {
    if (tool.type === 'hosted' || tool.type === 'tool_search') return []
    if (tool.type !== 'namespace') return names.toPlatformName(tool)
    return tool.tools.map((inner) => names.toPlatformName({ name: inner.name, namespace: tool.name }))
  })
  return platformNames.length ? `Found tools: ${platformNames.join(', ')}` : 'No tools found.'
}

const parseRole = (role: Extract<ResponseInputItem, { type: 'message' }>['role']) =>
  role === 'developer' ? 'system' : role

function parseContent(content: ResponseInputContent): Content {
  if (typeof content === 'string') return content
  return content.map(parsePart)
}

/** Throws AppError bad_request for a file that is neither a text nor a PDF. */
function parsePart(part: Exclude<ResponseInputContent, string>[number]): ContentPart {
  switch (part.type) {
    case 'input_image':
      return parseImageUrl(part.image_url, part.detail)
    case 'input_file': {
      const { file_data, file_url, filename } = part
      const name = filename ?? undefined
      return file_data ? parseFile(file_data, name) : createFileUrl(file_url ?? '', name)
    }
    case 'input_audio':
      return parseAudio(part)
    case 'refusal':
      return { type: 'text', text: part.refusal }
    default:
      return { type: 'text', text: part.text }
  }
}
