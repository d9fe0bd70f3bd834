import { z } from 'zod'
import { providerSorts } from '#contract/users.ts'
import { responseTool, responseToolChoice } from './response-tools.ts'
import type { ResponseObjectTool, ResponseObjectToolChoice } from './response-tools.ts'
import { audioPart, NO_FILE_ID_MESSAGE, reasoningEfforts } from './chat-completions.ts'

// Requests and answers of OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses), as far as the
// gateway reads them. Fields that are not named here are accepted and ignored.

const NO_CONVERSATION_MESSAGE =
  '不支持 conversation，请用 previous_response_id，或在 input 中带上之前的全部内容'
const NO_TEMPLATE_MESSAGE = '不支持提示词模板，请直接填写 input'

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string() })
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  detail: z.string().nullish(),
  image_url: z.string(NO_FILE_ID_MESSAGE).regex(/^(https?:\/\/|data:image\/[\w.+-]+;base64,)/),
})
const inputFile = z
  .looseObject({
    type: z.literal('input_file'),
    filename: z.string().max(255).nullish(),
    file_data: z.string().min(1).nullish(),
    file_url: z
      .string()
      .regex(/^https?:\/\//)
      .nullish(),
  })
  .refine(({ file_data, file_url }) => file_data || file_url, {
    path: ['file_data'],
    error: NO_FILE_ID_MESSAGE,
  })
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() })
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })
const content = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile, audioPart, outputText, refusal])),
])
export type ResponseInputContent = z.output<typeof content>

const toolOutput = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile])),
])
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
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().nullish(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: toolOutput }),
  z.looseObject({
    type: z.literal('custom_tool_call'),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().nullish(),
    input: z.string(),
  }),
  z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: toolOutput }),
  z.looseObject({ type: z.literal('local_shell_call'), call_id: z.string(), action: schema }),
  /** OpenAI's reference calls the id of the call `id`, its guide and clients `call_id`. */
  z.looseObject({
    type: z.literal('local_shell_call_output'),
    id: z.string().nullish(),
    call_id: z.string().nullish(),
    output: z.string(),
  }),
  /**
   * Items that only their own platform can read (compaction), or that its own tools made: the answer after them has the results.
   */
  z.looseObject({ type: z.enum(UNREAD_ITEMS) }),
  /** A tool search that the client made; a platform's search has no `call_id` and is not read. */
  z.looseObject({
    type: z.literal('tool_search_call'),
    call_id: z.string().nullish(),
    arguments: z.unknown(),
  }),
  z.looseObject({
    type: z.literal('tool_search_output'),
    call_id: z.string().nullish(),
    tools: z.array(responseTool).max(512),
  }),
  /** `encrypted_content`: signed by its platform, see reasoning-items.ts; ignored if from another gateway or platform. */
  z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
    content: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string().max(100) }),
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
  model: z.string().min(1).max(120),
  input: z.union([z.string(), z.array(z.preprocess(withItemType, item)).min(1).max(10_000)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).max(100_000_000).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  tools: z.array(responseTool).max(512).nullish(),
  tool_choice: responseToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('text') }),
          z.object({ type: z.literal('json_object') }),
          z.object({
            type: z.literal('json_schema'),
            name,
            schema,
            description: z.string().optional(),
            strict: z.boolean().nullish(),
          }),
        ])
        .nullish(),
      verbosity: z.enum(['low', 'medium', 'high']).nullish(),
    })
    .nullish(),
  reasoning: z.looseObject({ effort: z.enum(reasoningEfforts).nullish() }).nullish(),
  /** Only `message.output_text.logprobs` has an effect. */
  include: z.array(z.string().max(100)).max(20).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  prompt_cache_key: z.string().max(1000).nullish(),
  safety_identifier: z.string().max(1000).nullish(),
  user: z.string().max(1000).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  /** Default: true. Without it nothing is kept, so nothing can be referred to. */
  store: z.boolean().nullish(),
  /** The response to continue: its input and output, and those of the responses before it. */
  previous_response_id: z.string().max(100).nullish(),
  conversation: z.null(NO_CONVERSATION_MESSAGE).optional(),
  /** Answered at once; `GET /responses/{id}` has the rest. */
  background: z.boolean().nullish(),
  prompt: z.null(NO_TEMPLATE_MESSAGE).optional(),
  /** Ours, see chat-completions.ts. */
  retries: z.int().min(0).max(10).nullish(),
  provider_sort: z.enum(providerSorts).nullish(),
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
