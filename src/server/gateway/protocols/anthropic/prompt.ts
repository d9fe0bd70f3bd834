import type { MessageRequest, MessageTool, TokenCountRequest } from '#contract/gateway/messages.ts'
import type { MessageInputBlock, MessageInput } from '#contract/gateway/message-blocks.ts'
import { UNREAD_BLOCKS } from '#contract/gateway/message-blocks.ts'
import type { JsonObject } from '#server/core/json.ts'
import type {
  ModelEntry,
  ChatRequest,
  Content,
  ContentPart,
  PromptMessage,
  Reasoning,
  SignedReasoning,
} from '#server/llm/llm.ts'
import { createHostedToolError } from '../../pipeline/chat-call.ts'
import { createDocumentText, createFileUrl } from '../parts.ts'
import { decodeCallId } from './call-ids.ts'

/** Betas for which a platform charges another price. The others only allow fields, which pass a list of their own. */
const PRICED_BETAS = /^(context-1m|fast-mode|server-side-fallback|fallback-credit|user-profiles)-/
/** Without this beta a platform refuses `context_management`. */
const CONTEXT_BETA = /^(context-management|compact)-/
/** Thinking budgets in tokens, and the effort that corresponds to them at other providers. */
const EFFORTS = [
  [2048, 'low'],
  [16_384, 'medium'],
] as const

/** Levels of Anthropic (https://platform.claude.com/docs/en/build-with-claude/effort) beside `high`, the default. */
const LEVELS = ['low', 'medium', 'xhigh', 'max'] as const

/** Converts a message's request to a prompt that every platform understands. */
export function buildPrompt(body: MessageRequest, model: ModelEntry, betas: string[]): ChatRequest {
  const { thinking, tool_choice, tools, context_management } = body
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
    // Programs of this protocol ask every model to think; a platform of another dialect refuses that for a model that cannot.
    reasoning_effort: model.capabilities.includes('reasoning') ? parseEffort(body) : undefined,
    provider_options: {
      anthropic: {
        ...body,
        ...(tools ? toToolFields(tools) : {}),
        thinking: thinking ?? undefined,
        context_management: betas.some((beta) => CONTEXT_BETA.test(beta)) ? context_management : undefined,
      },
      anthropic_betas: betas,
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
  return LEVELS.find((level) => level === effort) ?? 'high'
}

/** Parses an `anthropic-beta` header into the values that platforms of this dialect get. */
export const parseBetas = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => /^[\w-]{1,64}$/.test(beta) && !PRICED_BETAS.test(beta))

/** Lists the types of tools that nobody here can run, which are left out. Throws AppError where the model must call one. */
export function listHostedTools({ tools, tool_choice: choice }: TokenCountRequest): string[] {
  const hosted = (tools ?? []).filter((tool) => tool.type === 'hosted')
  const required =
    choice?.type === 'tool'
      ? hosted.find(({ name }) => name === choice.name)
      : choice?.type === 'any' && hosted.length === tools?.length && hosted[0]
  if (required) throw createHostedToolError(required.hosted_type)
  return hosted.map(({ hosted_type }) => hosted_type)
}

const listOwnTools = (tools: TokenCountRequest['tools']): MessageTool[] =>
  (tools ?? []).filter((tool) => tool.type !== 'hosted')

/** Keeps the tools in the dialect's own form, with cache marks and other fields that only its platforms know. */
function toToolFields(tools: NonNullable<TokenCountRequest['tools']>): JsonObject {
  const ownTools = listOwnTools(tools)
  return ownTools.length ? { tools: ownTools } : { tools: undefined, tool_choice: undefined }
}

export function parseTools({
  tools,
  tool_choice: choice,
  messages,
}: TokenCountRequest): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  const ownTools = listOwnTools(tools)
  if (!ownTools.length) return {}
  const isDeferred = ({ defer_loading }: MessageTool): boolean => defer_loading === true
  const foundNames = ownTools.some(isDeferred) ? listFoundTools(messages) : new Set<string>()
  return {
    tools: ownTools.map((tool) => ({
      name: tool.name,
      ...(tool.description ? { description: tool.description } : {}),
      parameters: tool.input_schema,
      ...(isDeferred(tool) && !foundNames.has(tool.name) ? { deferred: true as const } : {}),
    })),
    tool_choice: choice ? parseToolChoice(choice) : undefined,
  }
}

/** The names of tools that searches have found, or that were called. */
function listFoundTools(messages: MessageInput[]): Set<string> {
  const blocks = messages.flatMap(({ content }): MessageInputBlock[] =>
    typeof content === 'string' ? [] : content,
  )
  const names = blocks.flatMap((block) => {
    if (block.type === 'tool_use') return [block.name]
    if (block.type !== 'tool_result' || !Array.isArray(block.content)) return []
    return block.content.flatMap((inner) => (inner.type === 'tool_reference' ? inner.tool_name : []))
  })
  return new Set(names)
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
  const blocks = content.filter(hasContent).map(withPlatformId)
  if (role === 'system') return [withBlocks({ role, content: parseParts(blocks) }, blocks)]
  if (role === 'assistant') {
    const reasoning = parseReasoning(blocks)
    const message = { role, content: parseParts(blocks), ...parseToolCalls(blocks) }
    return [withBlocks(reasoning ? { ...message, reasoning } : message, blocks)]
  }
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

function withPlatformId(block: MessageInputBlock): MessageInputBlock {
  if (block.type === 'tool_use') return { ...block, id: decodeCallId(block.id) }
  return block.type === 'tool_result' ? { ...block, tool_use_id: decodeCallId(block.tool_use_id) } : block
}

function parseReasoning(blocks: MessageInputBlock[]): Reasoning | null {
  const signed = blocks.flatMap((block): SignedReasoning[] => {
    if (block.type === 'redacted_thinking') return [{ text: '', signature: block.data, redacted: true }]
    return block.type === 'thinking' ? [{ text: block.thinking, signature: block.signature }] : []
  })
  if (!signed.length) return null
  const text = signed.flatMap((block) => block.text || []).join('\n\n')
  return { text, signed: signed.filter(({ signature }) => signature) }
}

/** Platforms reject empty texts and reasoning, and blocks of tools that they were not offered. */
function hasContent(block: MessageInputBlock): boolean {
  if (block.type === 'text') return block.text !== ''
  if (block.type === 'thinking') return block.thinking !== '' || block.signature !== ''
  return !UNREAD_BLOCKS.some((type) => type === block.type)
}

/** Groups blocks into messages: each result of a tool alone, as other dialects need it, and adjacent other blocks together. */
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
  const toolCalls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }]
      : [],
  )
  return toolCalls.length ? { tool_calls: toolCalls } : {}
}

/** A URL is fetched by the platform, never from here. */
function parseParts(blocks: MessageInputBlock[]): ContentPart[] {
  return blocks.flatMap((block): ContentPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }]
    if (block.type === 'document') return parseDocument(block)
    if (block.type === 'search_result') return parseSearchResult(block)
    if (block.type !== 'image') return []
    const { source } = block
    if (source.type === 'url') return [{ type: 'image', url: source.url }]
    return [{ type: 'image', media_type: source.media_type, data: source.data }]
  })
}

/** Other dialects read a text document as text; the parts of a document become parts of the prompt. */
function parseDocument({ source, title }: Extract<MessageInputBlock, { type: 'document' }>): ContentPart[] {
  const name = title ?? undefined
  if (source.type === 'text') return [createDocumentText(source.data, name)]
  if (source.type === 'url') return [createFileUrl(source.url, name)]
  if (source.type === 'content')
    return typeof source.content === 'string'
      ? [createDocumentText(source.content, name)]
      : parseParts(source.content)
  const { media_type, data } = source
  return [{ type: 'file', media_type, data, ...(name ? { name } : {}) }]
}

const parseSearchResult = ({
  source,
  title,
  content,
}: Extract<MessageInputBlock, { type: 'search_result' }>): ContentPart[] => [
  createDocumentText([source, ...content.map(({ text }) => text)].join('\n\n'), title),
]

/** A tool that was found is only named: the client declares it beside. */
function parseToolResult({ content }: Extract<MessageInputBlock, { type: 'tool_result' }>): Content {
  if (typeof content === 'string') return content
  return (content ?? []).flatMap((block): ContentPart[] =>
    block.type === 'tool_reference' ? [{ type: 'text', text: block.tool_name }] : parseParts([block]),
  )
}
