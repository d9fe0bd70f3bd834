import type {
  MessageRequest,
  MessageInputBlock,
  MessageInput,
  TokenCountRequest,
} from '#contract/gateway/messages.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ModelEntry, ChatRequest, Content, ContentPart, PromptMessage } from '#server/llm/llm.ts'

/** Thinking budgets in tokens, and the effort that corresponds to them at other providers. */
const EFFORTS = [
  [2048, 'low'],
  [16_384, 'medium'],
] as const

/** A message's request as every platform understands it. */
export function buildPrompt(body: MessageRequest, model: ModelEntry): ChatRequest {
  const { thinking, tool_choice } = body
  const schema = body.output_config?.format?.schema
  const isSerial = tool_choice && 'disable_parallel_tool_use' in tool_choice
  return {
    messages: parseMessages(body),
    max_tokens: Math.min(body.max_tokens, model.max_tokens),
    temperature: body.temperature ?? undefined,
    top_p: body.top_p ?? undefined,
    top_k: body.top_k ?? undefined,
    stop_sequences: body.stop_sequences ?? undefined,
    ...(schema ? { response_format: { type: 'json_schema', name: 'answer', schema } } : {}),
    ...parseTools(body),
    // Programs of this shape ask every model to think; a platform of another dialect refuses what its model cannot do.
    reasoning_effort: model.capabilities.includes('reasoning') ? parseEffort(body) : undefined,
    provider_options: {
      anthropic: { ...body, thinking: thinking ?? undefined },
      openai: isSerial && tool_choice.disable_parallel_tool_use ? { parallel_tool_calls: false } : {},
    },
  }
}

function parseEffort({ thinking, output_config }: MessageRequest): ChatRequest['reasoning_effort'] {
  if (thinking?.type === 'enabled') {
    return EFFORTS.find(([tokens]) => thinking.budget_tokens <= tokens)?.[1] ?? 'high'
  }
  if (thinking?.type !== 'adaptive') return undefined
  const effort = output_config?.effort
  return effort === 'low' || effort === 'medium' ? effort : 'high'
}

export function parseTools({
  tools,
  tool_choice: choice,
}: TokenCountRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  if (!tools?.length) return {}
  return {
    tools: tools.map(({ name, description, input_schema: parameters }) => ({
      name,
      ...(description ? { description } : {}),
      parameters,
    })),
    tool_choice: choice ? parseToolChoice(choice) : undefined,
  }
}

function parseToolChoice(choice: NonNullable<TokenCountRequest['tool_choice']>): ChatRequest['tool_choice'] {
  if (choice.type === 'tool') return { name: choice.name }
  return choice.type === 'any' ? 'required' : choice.type
}

export function parseMessages({ system, messages }: TokenCountRequest): PromptMessage[] {
  const first: MessageInput[] = system ? [{ role: 'system', content: system }] : []
  return [...first, ...messages].flatMap(parseMessage)
}

function parseMessage({ role, content }: MessageInput): PromptMessage[] {
  if (typeof content === 'string') return [{ role, content }]
  const blocks = content.filter(hasContent)
  if (role !== 'user')
    return [withBlocks({ role, content: parseParts(blocks), ...parseToolCalls(blocks) }, blocks)]
  return groupBlocks(blocks).map((group): PromptMessage => {
    const [first] = group
    if (first?.type !== 'tool_result') return withBlocks({ role, content: parseParts(group) }, group)
    const result = { role: 'tool', tool_call_id: first.tool_use_id, content: parseToolResult(first) } as const
    return withBlocks(result, group)
  })
}

const withBlocks = <Message extends PromptMessage>(message: Message, blocks: JsonObject[]): Message => ({
  ...message,
  provider_options: { anthropic: { blocks } },
})

/** Platforms reject empty texts, and reasoning without a signature. */
function hasContent(block: MessageInputBlock): boolean {
  if (block.type === 'text') return block.text !== ''
  return block.type !== 'thinking' || block.signature !== ''
}

/** Each result of a tool by itself, all else as far as it goes together: other dialects know results as own messages. */
function groupBlocks(blocks: MessageInputBlock[]): MessageInputBlock[][] {
  const groups: MessageInputBlock[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (last && block.type !== 'tool_result' && last[0]?.type !== 'tool_result') last.push(block)
    else groups.push([block])
  }
  return groups
}

function parseToolCalls(blocks: MessageInputBlock[]) {
  const tool_calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }]
      : [],
  )
  return tool_calls.length ? { tool_calls } : {}
}

/** A URL is fetched by the platform, never from here. */
function parseParts(blocks: MessageInputBlock[]): ContentPart[] {
  return blocks.flatMap((block): ContentPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }]
    if (block.type !== 'image') return []
    const { source } = block
    if (source.type === 'url') return [{ type: 'image', url: source.url }]
    return [{ type: 'image', media_type: source.media_type, data: source.data }]
  })
}

function parseToolResult({ content }: Extract<MessageInputBlock, { type: 'tool_result' }>): Content {
  return typeof content === 'string' ? content : parseParts(content ?? [])
}
