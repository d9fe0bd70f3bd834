import { z } from 'zod'
import { providerSorts } from '#contract/users.ts'
import { toolName } from './chat-completions.ts'

// Requests and answers of Anthropic's API (https://platform.claude.com/docs/en/api/messages), as far as the gateway reads them. A
// platform of the same dialect gets those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

const cacheControl = z
  .object({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish()
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl })
const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('base64'),
      media_type: z.string().regex(/^image\/[\w.+-]+$/),
      data: z.string().min(1),
    }),
    z.object({ type: z.literal('url'), url: z.string().regex(/^https?:\/\//) }),
  ]),
  cache_control: cacheControl,
})
const documentBlock = z.looseObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('base64'),
      media_type: z.literal('application/pdf'),
      data: z.string().min(1),
    }),
    z.object({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    z.object({
      type: z.literal('content'),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]),
    }),
    z.object({ type: z.literal('url'), url: z.string().regex(/^https?:\/\//) }),
  ]),
  title: z.string().nullish(),
  cache_control: cacheControl,
})
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  cache_control: cacheControl,
})
/** A tool that a tool search found: its client declares it. */
const toolReferenceBlock = z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string() })
const searchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
  cache_control: cacheControl,
})
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z
    .union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          textBlock,
          imageBlock,
          documentBlock,
          toolReferenceBlock,
          searchResultBlock,
        ]),
      ),
    ])
    .nullish(),
  is_error: z.boolean().nullish(),
  cache_control: cacheControl,
})
const thinkingBlock = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().default(''),
})
const redactedBlock = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() })
/** Blocks of tools that a platform itself ran: accepted and left out, since the text after them has the results. */
export const UNREAD_BLOCKS = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
  'compaction',
] as const
const unreadBlock = z.looseObject({ type: z.enum(UNREAD_BLOCKS) })

const texts = z.union([z.string(), z.array(textBlock)])
const message = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.literal('user'),
    content: z.union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          textBlock,
          imageBlock,
          documentBlock,
          searchResultBlock,
          toolResultBlock,
          unreadBlock,
        ]),
      ),
    ]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [textBlock, thinkingBlock, redactedBlock, toolUseBlock, unreadBlock]),
      ),
    ]),
  }),
  z.looseObject({ role: z.literal('system'), content: texts }),
])
export type MessageInput = z.output<typeof message>
export type MessageInputBlock = Exclude<MessageInput['content'], string>[number]

const customTool = z.looseObject({
  type: z.literal('custom').nullish(),
  name: toolName,
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  cache_control: cacheControl,
})
/** `web_search_20250305` and all others with a type of their own: a platform runs them, at a cost that no price list knows. */
const hostedTool = z.object({ type: z.literal('hosted'), name: z.string(), hosted_type: z.string() })

function withHostedType(tool: unknown): unknown {
  if (typeof tool !== 'object' || tool === null || !('type' in tool)) return tool
  const { type } = tool
  if (typeof type !== 'string' || !/^\w{1,64}$/.test(type) || type === 'custom') return tool
  return { type: 'hosted', name: 'name' in tool ? tool.name : type, hosted_type: type }
}

const tool = z.preprocess(withHostedType, z.discriminatedUnion('type', [hostedTool, customTool]))
export type MessageTool = z.output<typeof customTool>

/** The request of a token count is that of a message without `max_tokens`. */
export const tokenCountRequest = z.looseObject({
  model: z.string().min(1).max(120),
  messages: z.array(message).min(1).max(10_000),
  system: texts.nullish(),
  tools: z.array(tool).max(512).nullish(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().nullish() }),
      z.looseObject({ type: z.literal('none') }),
      z.looseObject({
        type: z.literal('tool'),
        name: toolName,
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
    ])
    .nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024).max(100_000_000) }),
      z.looseObject({ type: z.literal('adaptive') }),
      z.looseObject({ type: z.literal('disabled') }),
    ])
    .nullish(),
  output_config: z
    .looseObject({
      effort: z.string().max(20).nullish(),
      format: z
        .looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })
        .nullish(),
    })
    .nullish(),
  cache_control: cacheControl,
})
export type TokenCountRequest = z.output<typeof tokenCountRequest>
export type TokenCount = { input_tokens: number }

export const messageRequest = tokenCountRequest.extend({
  max_tokens: z.int().min(1).max(100_000_000),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  stop_sequences: z.array(z.string()).max(64).nullish(),
  /** Ours, see chat-completions.ts. */
  retries: z.int().min(0).max(10).nullish(),
  provider_sort: z.enum(providerSorts).nullish(),
})
export type MessageRequest = z.output<typeof messageRequest>

/** A text without citations has no such field: clients that validate answers take no null there. */
export type MessageBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown; caller: { type: 'direct' } }

/** Tokens; `input_tokens` are those that were neither read from nor written to a platform's cache. */
export type MessageUsage = {
  input_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  output_tokens: number
  output_tokens_details: { thinking_tokens: number } | null
  server_tool_use: null
}

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'

export type MessageResponse = {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: MessageBlock[]
  stop_reason: StopReason | null
  stop_sequence: string | null
  stop_details: null
  container: null
  diagnostics: null
  usage: MessageUsage & { cache_creation: null; inference_geo: null; service_tier: null; speed: null }
}

/** A model in `GET /models` for clients of Anthropic's API (https://platform.claude.com/docs/en/api/models). */
export type MessageModel = {
  type: 'model'
  id: string
  display_name: string
  /** The epoch: no catalogue says when a model was made. */
  created_at: string
  max_input_tokens: number
  max_tokens: number
  capabilities: null
}
