import { z } from 'zod'
import {
  answerSchema,
  messages,
  routingFields,
  stream,
  toolDescription,
  topP,
  typeField,
} from './request-fields.ts'
import { modelId } from '#contract/ids/ids.ts'
import { toolName } from './chat-completions.ts'
import { cacheControl, message, texts } from './message-blocks.ts'

// Requests and answers of Anthropic's API (https://platform.claude.com/docs/en/api/messages), as far as the gateway reads them. A
// platform of the same dialect gets those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

const customTool = z.looseObject({
  type: z.literal('custom').nullish().describe('类型'),
  name: toolName.describe('工具的名称'),
  description: toolDescription,
  input_schema: z.record(z.string(), z.unknown()).describe('参数的 JSON Schema'),
  cache_control: cacheControl,
})
/** `web_search_20250305` and all others with a type of their own: a platform runs them, at a cost that no price list knows. */
const hostedTool = z.object({
  type: typeField('hosted'),
  name: z.string().describe('工具的名称'),
  hosted_type: z.string().describe('由平台运行的工具的种类'),
})

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
  model: modelId,
  messages: messages(message),
  system: texts.nullish().describe('系统提示词'),
  tools: z.array(tool).max(512).nullish().describe('可以调用的工具'),
  tool_choice: z
    .discriminatedUnion('type', [
      z.looseObject({
        type: z.enum(['auto', 'any']).describe('类型'),
        disable_parallel_tool_use: z.boolean().nullish().describe('是否不许同时调用多个工具'),
      }),
      z.looseObject({ type: typeField('none') }),
      z.looseObject({
        type: typeField('tool'),
        name: toolName.describe('工具的名称'),
        disable_parallel_tool_use: z.boolean().nullish().describe('是否不许同时调用多个工具'),
      }),
    ])
    .nullish()
    .describe('怎样选择工具'),
  thinking: z
    .discriminatedUnion('type', [
      z.looseObject({
        type: typeField('enabled'),
        budget_tokens: z.int().min(1024).max(100_000_000).describe('思考最多用的 Token 数'),
      }),
      z.looseObject({ type: typeField('adaptive') }),
      z.looseObject({ type: typeField('disabled') }),
    ])
    .nullish()
    .describe('思考：enabled 开启、adaptive 由模型决定、disabled 关闭'),
  output_config: z
    .looseObject({
      effort: z.string().max(20).nullish().describe('思考的强度'),
      format: z
        .looseObject({
          type: typeField('json_schema'),
          schema: answerSchema,
        })
        .nullish()
        .describe('输出的格式'),
    })
    .nullish()
    .describe('输出的设置'),
  cache_control: cacheControl,
})
export type TokenCountRequest = z.output<typeof tokenCountRequest>
export type TokenCount = { input_tokens: number }

export const messageRequest = tokenCountRequest.extend({
  max_tokens: z.int().min(1).max(100_000_000).describe('最长的输出，Token 数'),
  stream,
  temperature: z.number().min(0).max(1).nullish().describe('随机程度，0 到 2'),
  top_p: topP,
  top_k: z.int().min(0).nullish().describe('采样时考虑的候选数'),
  stop_sequences: z.array(z.string()).max(64).nullish().describe('遇到即停止的文字'),
  ...routingFields,
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
