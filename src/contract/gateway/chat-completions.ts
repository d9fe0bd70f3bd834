import { z } from 'zod'
import type { PriceUnit } from '#contract/price-units.ts'
import { providerSorts } from '#contract/users.ts'
import type { OpenAiError } from './errors.ts'
import { withNestedChoice, withNestedTools } from './other-shapes.ts'

// Requests and answers of OpenAI's API (https://platform.openai.com/docs/api-reference/chat), as far as the gateway reads them. A
// platform gets only those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

/** For platforms that bill cache writes; OpenAI's own clients do not send it. */
const cacheControl = z.looseObject({ type: z.literal('ephemeral') }).nullish()
const textPart = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({
    detail: z.string().nullish(),
    url: z.string().regex(/^(https?:\/\/|data:image\/[\w.+-]+;base64,)/),
  }),
})
export const NO_FILE_ID_MESSAGE = '不支持已上传的文件（file_id），请用 file_data 附上文件的内容'
export const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string().min(1), format: z.string().regex(/^[\w-]{1,20}$/) }),
})
const filePart = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    filename: z.string().max(255).nullish(),
    file_data: z.string(NO_FILE_ID_MESSAGE).min(1),
  }),
})
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })
/** Some programs send null for an empty text. */
const texts = z.union([z.string(), z.array(textPart)]).nullable()

const functionCall = z.looseObject({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const customCall = z.looseObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
})
const toolCall = z.union([customCall, functionCall])

/** The model's reasoning, under each platform's name for it. */
const thoughtFields = {
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z
    .array(
      z.looseObject({
        type: z.string().nullish(),
        text: z.string().nullish(),
        summary: z.string().nullish(),
        data: z.string().nullish(),
        signature: z.string().nullish(),
      }),
    )
    .nullish(),
}

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: texts }),
  z.looseObject({
    role: z.literal('user'),
    content: z
      .union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart]))])
      .nullable(),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart]))]).nullish(),
    ...thoughtFields,
    tool_calls: z.array(toolCall).nullish(),
    function_call: functionCall.shape.function.nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
  z.looseObject({ role: z.literal('function'), content: texts, name: z.string() }),
])
export type ChatCompletionMessage = z.output<typeof message>

/** JSON's numbers lose digits beyond 2^53: a larger seed would come out as another one. */
const SEED_MESSAGE = '须为 -2^53 到 2^53 之间的整数'
/** Most answers of one call: each is held at its full length. */
const MAX_CHOICES = 16
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** Names the schema of an answer. */
const name = z.string().regex(/^[\w.-]{1,64}$/)
/** Names of the Model Context Protocol have dots, slashes and more: platforms get names that they take. */
export const toolName = z.string().regex(/^\P{C}{1,256}$/u)
const schema = z.record(z.string(), z.unknown())
const tokens = z.int().min(1).max(100_000_000)

/** A function that a model may call. */
const functionDefinition = z.looseObject({
  name: toolName,
  description: z.string().nullish(),
  parameters: schema.nullish(),
  strict: z.boolean().nullish(),
})

/** Called with one free text. A grammar for it is a request to the model, no promise. */
const customDefinition = z.looseObject({
  name: toolName,
  description: z.string().nullish(),
  format: z
    .union([
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({
        type: z.literal('grammar'),
        grammar: z.looseObject({ syntax: z.string(), definition: z.string() }),
      }),
      z.looseObject({ type: z.literal('grammar'), syntax: z.string(), definition: z.string() }),
    ])
    .nullish(),
})

const NO_SOUND_MESSAGE = '模型只能回答文字或图片（text、image）'

export const chatCompletionRequest = z.looseObject({
  model: z.string().min(1).max(120),
  messages: z.array(message).min(1).max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  /** An extension of servers that follow OpenAI's API. */
  top_k: z.int().min(0).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  seed: z.int(SEED_MESSAGE).nullish(),
  n: z.int().min(1).max(MAX_CHOICES).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  tools: z.preprocess(
    withNestedTools,
    z
      .array(
        z.discriminatedUnion('type', [
          z.looseObject({ type: z.literal('function'), function: functionDefinition }),
          z.looseObject({ type: z.literal('custom'), custom: customDefinition }),
        ]),
      )
      .max(512)
      .nullish(),
  ),
  tool_choice: z.preprocess(
    withNestedChoice,
    z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: toolName }) }),
        z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: toolName }) }),
      ])
      .nullish(),
  ),
  /** The kinds of content that the answer may have. */
  modalities: z
    .array(z.enum(['text', 'image'], NO_SOUND_MESSAGE))
    .max(2)
    .nullish(),
  /** Tools as they were before 2024, with their choice. Requests with them are answered with a `function_call`. */
  functions: z.array(functionDefinition).max(512).nullish(),
  function_call: z.union([z.enum(['none', 'auto']), z.looseObject({ name: toolName })]).nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({
          name,
          schema,
          description: z.string().nullish(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .nullish(),
  reasoning_effort: z.enum(reasoningEfforts).nullish(),
  /** Ours: a short form of `response_format: {"type": "json_object"}`. */
  json_mode: z.boolean().nullish(),
  /** Ours: a search of the web before the answer. The gateway has none: true is refused. */
  enable_search: z.boolean().nullish(),
  /** Ours (reference-product, "Gateway"): number of further tries at platforms that failed. */
  retries: z.int().min(0).max(10).nullish(),
  /** Ours: overrides the key's setting. */
  provider_sort: z.enum(providerSorts).nullish(),
  /** Ours: the name of a conversation that is remembered for the key; `messages` are its new part. */
  sess_id: z
    .string()
    .regex(/^\P{C}{1,128}$/u)
    .nullish(),
  /** Ours: answered at once, with status `pending`; `GET /chat/{id}` has the rest. */
  background: z.boolean().nullish(),
})
export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>

const ONE_PROMPT_MESSAGE = '一次只能补全一段文字，不支持 Token 数组'
const unwrapSingle = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
const USE_CHAT_MESSAGE = '不支持，请改用 /chat/completions'

/**
 * The request of a legacy text completion (https://platform.openai.com/docs/api-reference/completions). The prompt becomes a
 * message to a chat model; anything beyond its abilities is refused.
 */
export const textCompletionRequest = z.looseObject({
  ...chatCompletionRequest.pick({
    model: true,
    stream: true,
    stream_options: true,
    max_tokens: true,
    temperature: true,
    top_p: true,
    stop: true,
    seed: true,
    n: true,
    enable_search: true,
    retries: true,
    provider_sort: true,
  }).shape,
  prompt: z.preprocess(unwrapSingle, z.string(ONE_PROMPT_MESSAGE)),
  echo: z.literal(false, USE_CHAT_MESSAGE).nullish(),
  suffix: z.literal('', USE_CHAT_MESSAGE).nullish(),
  best_of: z.literal(1, USE_CHAT_MESSAGE).nullish(),
  logprobs: z.null(USE_CHAT_MESSAGE).optional(),
})
export type TextCompletionRequest = z.output<typeof textCompletionRequest>

export type ChatCompletionToolCall = ChatCompletionFunctionCall | ChatCompletionCustomCall
type ChatCompletionFunctionCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
/** A call of a tool that takes one free text. */
type ChatCompletionCustomCall = {
  id: string
  type: 'custom'
  custom: { name: string; input: string }
}
/** In OpenRouter's shape: a data URL, or the platform's own address. */
export type ChatCompletionPicture = { type: 'image_url'; index: number; image_url: { url: string } }

export type ChatCompletionUsage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Tokens that were counted and priced. */
  billed_units: number
  prompt_tokens_details: PromptTokensDetails
  completion_tokens_details: CompletionTokensDetails
}

/** Text, sound, pictures, videos and citations add up to the prompt; `cached_tokens` count some of them again, of any kind. */
type PromptTokensDetails = {
  cached_tokens: number
  text_tokens: number
  audio_tokens: number
  image_tokens: number
  /** Always 0: no call takes videos, and no platform bills citations by tokens. */
  video_tokens: number
  citation_tokens: number
}

/** Text, sound, pictures and reasoning add up to the completion. */
type CompletionTokensDetails = {
  text_tokens: number
  audio_tokens: number
  image_tokens: number
  reasoning_tokens: number
  /** Always 0: the gateway sends no `prediction`, since platforms bill even rejected ones. */
  accepted_prediction_tokens: number
  rejected_prediction_tokens: number
}

export type TextCompletion = {
  id: string
  object: 'text_completion'
  created: number
  model: string
  choices: { text: string; index: number; logprobs: null; finish_reason: string | null }[]
  usage?: ChatCompletionUsage | null
}

export type ChatCompletion = {
  id: string
  object: 'chat.completion'
  /** Seconds since 1970. */
  created: number
  model: string
  /** As many as `n`, if the platform gave them. */
  choices: [ChatCompletionChoice, ...ChatCompletionChoice[]]
  usage: ChatCompletionUsage
  /** The platform's own. */
  system_fingerprint?: string
  service_tier?: string
}

export type ChatCompletionChoice = {
  index: number
  message: {
    role: 'assistant'
    content: string | null
    refusal: string | null
    reasoning_content?: string
    tool_calls?: ChatCompletionToolCall[]
    /** Takes the place of `tool_calls` for a request with `functions`. */
    function_call?: ChatCompletionFunctionCall['function']
    /** Pictures that the model made. */
    images?: ChatCompletionPicture[]
    /** The platform's citations. */
    annotations?: Record<string, unknown>[]
  }
  /** Present where requested, if the platform has them. */
  logprobs: { content: Record<string, unknown>[]; refusal: null } | null
  finish_reason: string
}

/** A completion in the background: without choices while there is nothing to tell, with an error when it failed. */
export type BackgroundCompletion = (
  | ChatCompletion
  | (Pick<ChatCompletion, 'id' | 'object' | 'created' | 'model'> & { choices: [] } & Partial<OpenAiError>)
) & { status: 'pending' | 'completed' | 'failed' | 'cancelled' | 'interrupted' }

/** One model of `GET /models` (reference-product, "Gateway"). */
export type GatewayModel = {
  id: string
  object: 'model'
  name: string
  /** The same, in the shape of Anthropic's API. */
  display_name: string
  type: string
  status: 'available' | 'unavailable'
  /** Seconds since 1970; 0, since no catalogue says when a model was made. */
  created: number
  created_at: string
  /** The platform that comes first. */
  owned_by: string
  context_window: number
  /**
   * Coins after discount, at the platform that comes first. `input` and `output` for a million units, `per_call` for each call or
   * picture; `tiers` for longer inputs, from one token more than `above`.
   */
  pricing: {
    unit: PriceUnit
    input: number
    output: number
    per_call: number
    tiers?: { above: number; input: number; output: number }[]
  }
  capabilities: string[]
  limitations: { max_tokens: number; max_requests_per_min: number | null }
  platform: { name: string; alias: string; website: string }
}
