import { z } from 'zod'
import { modelId } from '#contract/ids/ids.ts'
import type { Calls } from './call.ts'

const modelTypes = ['chat', 'embedding', 'rerank', 'image', 'tts', 'asr'] as const

/** Reasons to choose a model. */
export const modelTags = ['便宜', '快', '推理', '视觉', '长文', '代码'] as const

const face = {
  vendor: z.string().describe('厂商；不知道则为空'),
  tags: z.array(z.enum(modelTags)).describe('标签'),
  retires: z.string().nullable().describe('厂商停止服务的日期或月份；不知道则为空'),
}

/** A chat model as the model picker shows it. */
export const chatModel = z.object({
  id: z.string().describe('模型 ID'),
  name: z.string().describe('模型的名称'),
  desc: z.string().describe('模型的介绍'),
  ...face,
  platform: z.string().describe('首选平台对外的名称'),
  context_window: z.int().describe('上下文长度，Token 数'),
  max_tokens: z.int().describe('最长的输出，Token 数'),
  capabilities: z.array(z.string()).describe('能力'),
  thinking: z
    .enum(['switch', 'always'])
    .nullable()
    .describe('思考：switch 可以开关、always 总是思考；空为不思考'),
  guest: z.boolean().describe('访客是否可用'),
  available: z.boolean().describe('现在是否可用：有平台可以提供，且厂商没有停止服务'),
  /** The honest in-process stand-in of the embedded default. */
  local: z.boolean().describe('是否为本地演示'),
  input_price: z.number().describe('输入价格（折后），金币/百万 Token'),
  output_price: z.number().describe('输出价格（折后），金币/百万 Token'),
})
export type ChatModel = z.output<typeof chatModel>

/** Coins for a million of the units of a model's type (price-units.ts); a unit without a price of its own is absent. */
const priceRates = z.object({
  input: z.number().describe('输入的价格，金币/百万单位'),
  output: z.number().describe('输出的价格，金币/百万单位'),
  cached_input: z.number().describe('命中缓存的输入价格'),
  cache_write: z.number().describe('写入缓存的价格'),
  /** For entries kept for an hour. */
  cache_write_1h: z.number().optional().describe('写入一小时缓存的价格'),
  reasoning: z.number().describe('思考的价格'),
  /** For tokens of sound and of pictures. */
  audio_input: z.number().optional().describe('音频输入的价格'),
  audio_output: z.number().optional().describe('音频输出的价格'),
  image_input: z.number().optional().describe('图片输入的价格'),
  image_output: z.number().optional().describe('图片输出的价格'),
})
export type PriceRates = z.output<typeof priceRates>

/** One platform's way to serve a model. Prices in coins before discount. */
const modelOffer = priceRates.extend({
  platform: z.string().describe('平台的名称'),
  alias: z.string().describe('平台对外的名称'),
  configured: z.boolean().describe('是否已配置平台的密钥'),
  per_call: z.number().describe('每次调用或每张图片的价格，单位金币'),
  search: z.number().optional().describe('平台自己联网搜索一次的价格，单位金币'),
  pictures: z
    .array(
      z.object({
        size: z.string().optional().describe('图片的尺寸；没有时为全部'),
        quality: z.string().optional().describe('画质；没有时为全部'),
        price: z.number().describe('一张图片的价格，单位金币'),
      }),
    )
    .optional()
    .describe('图片的价格，按尺寸与画质'),
  tiers: z
    .array(priceRates.extend({ above: z.int().describe('输入超过多少 Token 时用这一段') }))
    .optional()
    .describe('按输入长度分段的价格，从短到长'),
  tiering: z
    .enum(['whole', 'parts'])
    .optional()
    .describe('分段的方式：whole 整次调用用一段的价格、parts 各段分别计价'),
  /** Rolling figures of real calls; null without calls. Ms to the first text, tokens a second, share of 1. */
  latency_ms: z.number().nullable().describe('近期的首字延迟，毫秒'),
  throughput: z.number().nullable().describe('近期的速度，Token/秒'),
  uptime: z.number().nullable().describe('近期的可用率，0 到 1'),
})
export type ModelOffer = z.output<typeof modelOffer>

/** A model of the plaza. */
const modelCard = z.object({
  id: z.string().describe('模型 ID'),
  name: z.string().describe('模型的名称'),
  desc: z.string().describe('模型的介绍'),
  ...face,
  type: z.enum(modelTypes).describe('模型的类型'),
  context_window: z.int().describe('上下文长度，Token 数'),
  max_tokens: z.int().describe('最长的输出，Token 数'),
  capabilities: z.array(z.string()).describe('能力'),
  guest: z.boolean().describe('访客是否可用'),
  available: z.boolean().describe('现在是否可用'),
  local: z.boolean().describe('是否为本地演示'),
  discount: z.number().describe('折扣：1 为原价，0 为免费'),
  offers: z.array(modelOffer).describe('各平台的报价'),
})
export type ModelCard = z.output<typeof modelCard>

const platform = z.object({
  name: z.string().describe('平台的名称'),
  alias: z.string().describe('平台对外的名称'),
  website: z.string().describe('平台的网站'),
  configured: z.boolean().describe('是否已配置平台的密钥'),
  /** Stopping an answer stops the platform's own bill; else the server reads on for a bounded time. */
  abort_stops_billing: z.boolean().describe('停止后平台是否不再计费'),
  models: z.int().describe('提供的模型数'),
})
export type Platform = z.output<typeof platform>

/** Tokens of an answer or a call. */
export const tokenCounts = {
  input_tokens: z.int().describe('输入的 Token 数'),
  output_tokens: z.int().describe('输出的 Token 数'),
}

const tokens = z.int().min(0).max(1_000_000_000)

/** Cost of tokens on one platform, in coins; `yuan` is a hundredth of `total`. */
const tokenCost = z.object({
  platform: z.string().describe('平台的名称'),
  alias: z.string().describe('平台对外的名称'),
  input: z.number().describe('输入的费用，单位金币'),
  output: z.number().describe('输出的费用，单位金币'),
  total: z.number().describe('费用合计，单位金币'),
  yuan: z.number().describe('费用合计，单位元'),
  tier: z.int().nullable().describe('用到的价格段：输入超过多少 Token；空为最低的一段'),
})

const source = z.string().min(1).max(20).default('web').describe('从哪里查询，如 web')

export const modelCalls = {
  'GET /api/chat/models': {
    summary: '可用于对话的模型',
    auth: 'public',
    query: z.object({ source }),
    response: z.object({
      models: z.array(chatModel).describe('模型列表'),
      default_model: z.string().describe('默认模型的 ID'),
    }),
  },
  'GET /api/chat/models/{model}': {
    summary: '一个模型的详情：能力、限制、各平台价格与近期速度',
    auth: 'public',
    params: z.object({ model: modelId }),
    response: modelCard,
    errors: ['model_not_found'],
  },
  'GET /api/models': {
    summary: '全部模型：对话、向量、重排、绘图、语音',
    auth: 'public',
    query: z.object({ source }),
    response: z.object({ models: z.array(modelCard).describe('模型列表') }),
  },
  'GET /api/platforms': {
    summary: '模型平台',
    auth: 'public',
    response: z.object({ platforms: z.array(platform).describe('平台列表') }),
  },
  'POST /api/token/costs': {
    summary: '按用量计算费用',
    auth: 'public',
    body: z.object({
      type: z.enum(modelTypes).optional().describe('模型的类型；没有时按模型'),
      model: modelId,
      input_tokens: tokens
        .default(0)
        .describe('输入的用量：语音合成为字符数，语音识别为毫秒数，其他为 Token 数'),
      output_tokens: tokens.default(0).describe('输出的用量，单位同输入'),
      times: z.int().min(0).max(1_000_000).default(1).describe('次数，如图片的张数'),
    }),
    response: z.object({
      model: z.string().describe('模型 ID'),
      name: z.string().describe('模型的名称'),
      discount: z.number().describe('折扣：1 为原价，0 为免费'),
      costs: z.array(tokenCost).describe('各平台的费用，低的在前'),
    }),
    errors: ['model_not_found'],
  },
} as const satisfies Calls
