import { z } from 'zod'
import type { Calls } from './call.ts'

const modelTypes = ['chat', 'embedding', 'rerank', 'image', 'tts', 'asr'] as const

/** Reasons to choose a model. */
export const modelTags = ['便宜', '快', '推理', '视觉', '长文', '代码'] as const

const face = {
  /** The model's maker; empty where unknown. */
  vendor: z.string(),
  tags: z.array(z.enum(modelTags)),
  /** The day (or month) from which its vendor no longer serves it; null while none is known. */
  retires: z.string().nullable(),
}

/** A chat model as the model picker shows it. */
export const chatModel = z.object({
  id: z.string(),
  name: z.string(),
  desc: z.string(),
  ...face,
  /** Alias of the platform that offers it first. */
  platform: z.string(),
  context_window: z.int(),
  max_tokens: z.int(),
  capabilities: z.array(z.string()),
  /** `switch`: people may switch its thinking on and off; `always`: it always thinks; null: it does not. */
  thinking: z.enum(['switch', 'always']).nullable(),
  /** Guests may try it. */
  guest: z.boolean(),
  /** A platform with a key (or the local model) can serve it now, and its vendor has not retired it. */
  available: z.boolean(),
  /** The honest in-process stand-in of the embedded default. */
  local: z.boolean(),
  /** Coins per million tokens after discount. */
  input_price: z.number(),
  output_price: z.number(),
})
export type ChatModel = z.output<typeof chatModel>

/** Coins for a million of the units of a model's type (price-units.ts); a unit without a price of its own is absent. */
const priceRates = z.object({
  input: z.number(),
  output: z.number(),
  cached_input: z.number(),
  cache_write: z.number(),
  /** For entries kept for an hour. */
  cache_write_1h: z.number().optional(),
  reasoning: z.number().describe('思考的价格'),
  /** For tokens of sound and of pictures. */
  audio_input: z.number().optional(),
  audio_output: z.number().optional(),
  image_input: z.number().optional(),
  image_output: z.number().optional(),
})
export type PriceRates = z.output<typeof priceRates>

/** One platform's way to serve a model. Prices in coins before discount. */
const modelOffer = priceRates.extend({
  platform: z.string(),
  alias: z.string(),
  /** The platform's key is set, so that it can be called. */
  configured: z.boolean(),
  /** For a call or a picture. */
  per_call: z.number(),
  /** For a search of the web that the platform itself makes. */
  search: z.number().optional().describe('平台自己联网搜索一次的价格'),
  /** Prices of pictures by size and quality; an absent one matches any. */
  pictures: z
    .array(
      z.object({
        size: z.string().optional().describe('图片的尺寸'),
        quality: z.string().optional(),
        price: z.number(),
      }),
    )
    .optional(),
  /**
   * Prices from one input token more than `above`, in ascending order, for the whole call (`whole`) or for the tokens in that
   * range (`parts`).
   */
  tiers: z.array(priceRates.extend({ above: z.int() })).optional(),
  tiering: z.enum(['whole', 'parts']).optional(),
  /** Rolling figures of real calls; null without calls. Ms to the first text, tokens a second, share of 1. */
  latency_ms: z.number().nullable(),
  throughput: z.number().nullable(),
  uptime: z.number().nullable(),
})
export type ModelOffer = z.output<typeof modelOffer>

/** A model of the plaza. */
const modelCard = z.object({
  id: z.string(),
  name: z.string(),
  desc: z.string(),
  ...face,
  type: z.enum(modelTypes),
  context_window: z.int(),
  max_tokens: z.int(),
  capabilities: z.array(z.string()),
  guest: z.boolean(),
  available: z.boolean(),
  local: z.boolean(),
  /** 0 is free, 1 the full price, else the share that is charged. */
  discount: z.number(),
  offers: z.array(modelOffer),
})
export type ModelCard = z.output<typeof modelCard>

const platform = z.object({
  name: z.string(),
  alias: z.string(),
  website: z.string(),
  configured: z.boolean(),
  /** Stopping an answer stops the platform's own bill; else the server reads on for a bounded time. */
  abort_stops_billing: z.boolean(),
  /** Number of models that it offers. */
  models: z.int().describe('提供的模型数'),
})
export type Platform = z.output<typeof platform>

const tokens = z.int().min(0).max(1_000_000_000)

/** Cost of tokens on one platform, in coins; `yuan` is a hundredth of `total`. */
const tokenCost = z.object({
  platform: z.string(),
  alias: z.string(),
  input: z.number(),
  output: z.number(),
  total: z.number(),
  yuan: z.number(),
  /** Input tokens above which these prices apply; null: the prices below all tiers. */
  tier: z.int().nullable(),
})

const source = z.string().min(1).max(20).default('web')

export const modelCalls = {
  'GET /api/chat/models': {
    summary: '可用于对话的模型',
    auth: 'public',
    query: z.object({ source }),
    response: z.object({ models: z.array(chatModel), default_model: z.string() }),
  },
  'GET /api/chat/models/{model}': {
    summary: '一个模型的详情：能力、限制、各平台价格与近期速度',
    auth: 'public',
    params: z.object({ model: z.string().min(1).max(120) }),
    response: modelCard,
    errors: ['model_not_found'],
  },
  'GET /api/models': {
    summary: '全部模型：对话、向量、重排、绘图、语音',
    auth: 'public',
    query: z.object({ source }),
    response: z.object({ models: z.array(modelCard) }),
  },
  'GET /api/platforms': {
    summary: '模型平台',
    auth: 'public',
    response: z.object({ platforms: z.array(platform) }),
  },
  'POST /api/token/costs': {
    summary: '按用量计算费用',
    auth: 'public',
    body: z.object({
      /** The model's own type, if given. */
      type: z.enum(modelTypes).optional(),
      model: z.string().min(1).max(120),
      /** Units of the model's price: characters for a tts model, milliseconds for an asr model, else tokens. */
      input_tokens: tokens.default(0),
      output_tokens: tokens.default(0),
      /** Number of times that the price of a call is paid, for pictures. */
      times: z.int().min(0).max(1_000_000).default(1),
    }),
    response: z.object({
      model: z.string(),
      name: z.string(),
      discount: z.number(),
      /** One cost for each platform, the cheapest first. */
      costs: z.array(tokenCost),
    }),
    errors: ['model_not_found'],
  },
} as const satisfies Calls
