import { z } from 'zod'
import {
  answerSchema,
  background,
  callArguments,
  callId,
  reasoningEfforts,
  routingFields,
  stream,
  strict,
  temperature,
  text,
  topLogprobs,
  topP,
  typeField,
} from './request-fields.ts'
import { modelId } from '#contract/ids/ids.ts'
import { responseTool, responseToolChoice } from './response-tools.ts'
import type { ResponseObjectTool, ResponseObjectToolChoice } from './response-tools.ts'
import { audioPart, NO_FILE_ID_MESSAGE } from './completion-messages.ts'

// Requests and answers of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses), as far as the
// gateway reads them. Fields that are not named here are accepted and ignored.

const NO_CONVERSATION_MESSAGE =
  '不支持 conversation，请用 previous_response_id，或在 input 中带上之前的全部内容'
const NO_TEMPLATE_MESSAGE = '不支持提示词模板，请直接填写 input'

const inputText = z.looseObject({
  type: typeField('input_text'),
  text,
})
const inputImage = z.looseObject({
  type: typeField('input_image'),
  detail: z.string().nullish().describe('图片的精细程度'),
  image_url: z
    .string(NO_FILE_ID_MESSAGE)
    .regex(/^(https?:\/\/|data:image\/[\w.+-]+;base64,)/)
    .describe('图片的地址：网址，或 data: 开头的内容'),
})
const inputFile = z
  .looseObject({
    type: typeField('input_file'),
    filename: z.string().max(255).nullish().describe('文件名'),
    file_data: z.string().min(1).nullish().describe('文件的内容，Base64'),
    file_url: z
      .string()
      .regex(/^https?:\/\//)
      .nullish()
      .describe('文件的地址'),
  })
  .refine(({ file_data, file_url }) => file_data || file_url, {
    path: ['file_data'],
    error: NO_FILE_ID_MESSAGE,
  })
const outputText = z.looseObject({
  type: typeField('output_text'),
  text,
})
const refusal = z.looseObject({
  type: typeField('refusal'),
  refusal: z.string().describe('拒绝回答的说明'),
})
const content = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile, audioPart, outputText, refusal])),
])
export type ResponseInputContent = z.output<typeof content>

const toolOutput = z
  .union([z.string(), z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile]))])
  .describe('工具的结果')
const schema = z.record(z.string(), z.unknown())

/** Items that are accepted and left out of the prompt. */
const UNREAD_ITEMS = [
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'configuration_update',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
] as const

const item = z.discriminatedUnion('type', [
  z.looseObject({
    type: typeField('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']).describe('消息的角色'),
    content: content.describe('消息的内容'),
  }),
  z.looseObject({
    type: typeField('function_call'),
    call_id: callId,
    name: z.string().describe('工具的名称'),
    namespace: z.string().nullish().describe('工具所属的命名空间'),
    arguments: callArguments,
  }),
  z.looseObject({
    type: typeField('function_call_output'),
    call_id: callId,
    output: toolOutput,
  }),
  z.looseObject({
    type: typeField('custom_tool_call'),
    call_id: callId,
    name: z.string().describe('工具的名称'),
    namespace: z.string().nullish().describe('工具所属的命名空间'),
    input: z.string().describe('交给工具的文字'),
  }),
  z.looseObject({
    type: typeField('custom_tool_call_output'),
    call_id: callId,
    output: toolOutput,
  }),
  z.looseObject({
    type: typeField('local_shell_call'),
    call_id: callId,
    action: schema.describe('要运行的命令'),
  }),
  /** OpenAI's reference calls the id of the call `id`, its guide and clients `call_id`. */
  z.looseObject({
    type: typeField('local_shell_call_output'),
    id: z.string().nullish().describe('工具调用的编号'),
    call_id: callId.nullish(),
    output: z.string().describe('命令的输出'),
  }),
  /**
   * Items that only their own platform can read (compaction), or that its own tools made: the answer after them has the results.
   */
  z.looseObject({ type: z.enum(UNREAD_ITEMS).describe('类型') }),
  /** A tool search that the client made; a platform's search has no `call_id` and is not read. */
  z.looseObject({
    type: typeField('tool_search_call'),
    call_id: callId.nullish(),
    arguments: z.unknown().describe('查找的条件'),
  }),
  z.looseObject({
    type: typeField('tool_search_output'),
    call_id: callId.nullish(),
    tools: z.array(responseTool).max(512).describe('找到的工具'),
  }),
  /** `encrypted_content`: signed by its platform, see reasoning-items.ts; ignored if from another gateway or platform. */
  z.looseObject({
    type: typeField('reasoning'),
    summary: z
      .array(z.looseObject({ text: z.string().nullish().describe('摘要的文字') }))
      .nullish()
      .describe('思考的摘要'),
    content: z
      .array(z.looseObject({ text: z.string().nullish().describe('思考的文字') }))
      .nullish()
      .describe('思考的文字'),
    encrypted_content: z.string().nullish().describe('平台签过名的思考，原样传回'),
  }),
  z.looseObject({
    type: typeField('item_reference'),
    id: z.string().max(100).describe('引用的一项的编号'),
  }),
])
export type ResponseInputItem = z.output<typeof item>

/** Fills in the type that a message and a reference may leave out. */
function withItemType(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || ('type' in item && item.type !== null)) return item
  if ('role' in item) return { ...item, type: 'message' }
  return 'id' in item ? { ...item, type: 'item_reference' } : item
}

const name = z.string().regex(/^[\w.-]{1,64}$/)

export const responseRequest = z.looseObject({
  model: modelId,
  input: z
    .union([z.string(), z.array(z.preprocess(withItemType, item)).min(1).max(10_000)])
    .describe('输入：一段文字，或消息、工具调用与结果等各项'),
  instructions: z.string().nullish().describe('系统提示词'),
  stream,
  max_output_tokens: z.int().min(1).max(100_000_000).nullish().describe('最长的输出，Token 数'),
  temperature,
  top_p: topP,
  tools: z.array(responseTool).max(512).nullish().describe('可以调用的工具'),
  tool_choice: responseToolChoice.nullish().describe('怎样选择工具'),
  parallel_tool_calls: z.boolean().nullish().describe('是否可以同时调用多个工具'),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.object({ type: typeField('text') }),
          z.object({ type: typeField('json_object') }),
          z.object({
            type: typeField('json_schema'),
            name: name.describe('输出的名称'),
            schema: answerSchema,
            description: z.string().optional().describe('说明：输出用来做什么'),
            strict,
          }),
        ])
        .nullish()
        .describe('输出的格式'),
      verbosity: z.enum(['low', 'medium', 'high']).nullish().describe('回答的详细程度'),
    })
    .nullish()
    .describe('输出的设置'),
  reasoning: z
    .looseObject({ effort: z.enum(reasoningEfforts).nullish().describe('思考的强度') })
    .nullish()
    .describe('思考的设置'),
  /** Only `message.output_text.logprobs` has an effect. */
  include: z.array(z.string().max(100)).max(20).nullish().describe('额外返回的内容'),
  top_logprobs: topLogprobs,
  prompt_cache_key: z.string().max(1000).nullish().describe('提示词缓存的标识'),
  safety_identifier: z.string().max(1000).nullish().describe('最终用户的标识'),
  user: z.string().max(1000).nullish().describe('最终用户的标识（旧写法）'),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish().describe('附带的键值，原样返回'),
  /** Default: true. Without it nothing is kept, so nothing can be referred to. */
  store: z.boolean().nullish().describe('是否保存输入与输出，默认保存'),
  /** The response to continue: its input and output, and those of the responses before it. */
  previous_response_id: z.string().max(100).nullish().describe('接着哪一个应答：它的编号'),
  conversation: z
    .null(NO_CONVERSATION_MESSAGE)
    .optional()
    .describe('不支持，只能为空：请用 previous_response_id'),
  /** Answered at once; `GET /responses/{id}` has the rest. */
  background,
  prompt: z.null(NO_TEMPLATE_MESSAGE).optional().describe('不支持提示词模板，只能为空'),
  ...routingFields,
})
export type ResponseRequest = z.output<typeof responseRequest>

type ItemStatus = 'in_progress' | 'completed' | 'incomplete'
/** A page that a platform cites; its indexes are characters of the text. */
export type ResponseCitation = {
  type: 'url_citation'
  url: string
  title: string
  start_index: number
  end_index: number
}
export type ResponseOutputText = {
  type: 'output_text'
  text: string
  annotations: ResponseCitation[]
  logprobs: ResponseLogprob[]
}
export type ResponseRefusal = { type: 'refusal'; refusal: string }
type TokenLogprob = { token: string; logprob: number; bytes: number[] }
export type ResponseLogprob = TokenLogprob & { top_logprobs: TokenLogprob[] }
export type ResponseReasoningSummary = { type: 'summary_text'; text: string }
export type ResponseOutputItem =
  | {
      type: 'reasoning'
      id: string
      status: ItemStatus
      summary: ResponseReasoningSummary[]
      /** Present where the call asked for it and the platform signed the model's thoughts. */
      encrypted_content?: string
    }
  /** A picture that the model made, in base64. */
  | { type: 'image_generation_call'; id: string; status: 'in_progress' | 'completed'; result: string | null }
  | {
      type: 'message'
      id: string
      status: ItemStatus
      role: 'assistant'
      content: (ResponseOutputText | ResponseRefusal)[]
    }
  | {
      type: 'function_call'
      id: string
      status: ItemStatus
      call_id: string
      name: string
      namespace?: string
      arguments: string
    }
  | {
      type: 'tool_search_call'
      id: string
      status: ItemStatus
      call_id: string
      execution: 'client'
      arguments: unknown
    }
  | {
      type: 'custom_tool_call'
      id: string
      status: ItemStatus
      call_id: string
      name: string
      namespace?: string
      input: string
    }

export type ResponseUsage = {
  input_tokens: number
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

export type ResponseObject = {
  id: string
  object: 'response'
  /** Seconds since 1970. */
  created_at: number
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  background: boolean
  error: {
    code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt' | 'context_length_exceeded'
    message: string
  } | null
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null
  instructions: string | null
  max_output_tokens: number | null
  metadata: Record<string, string>
  model: string
  output: ResponseOutputItem[]
  parallel_tool_calls: boolean
  previous_response_id: string | null
  reasoning: { effort: NonNullable<ResponseRequest['reasoning']>['effort'] | null; summary: null }
  /** It can be fetched and continued. */
  store: boolean
  temperature: number | null
  text: {
    format: NonNullable<NonNullable<ResponseRequest['text']>['format']>
    verbosity?: 'low' | 'medium' | 'high'
  }
  tool_choice: ResponseObjectToolChoice
  /** The tools that a platform can call. */
  tools: ResponseObjectTool[]
  top_p: number | null
  top_logprobs: number
  prompt_cache_key: string | null
  safety_identifier: string | null
  truncation: 'disabled'
  access_programs: null
  usage?: ResponseUsage
}

/** An item of `GET /responses/{id}/input_items`: as the client sent it, with an id. */
export type ResponseItemList = {
  object: 'list'
  data: (ResponseInputItem & { id: string })[]
  first_id: string | null
  last_id: string | null
  has_more: boolean
}

export type DeletedResponse = { id: string; object: 'response'; deleted: true }
