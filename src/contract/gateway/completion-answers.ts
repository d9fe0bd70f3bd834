import type { PriceUnit } from '#contract/price-units.ts'
import type { OpenAiError } from './errors.ts'

// Answers of OpenAI's API (https://platform.openai.com/docs/api-reference/chat/object).

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
