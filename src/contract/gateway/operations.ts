import { z } from 'zod'
import { routingFields } from './request-fields.ts'
import { modelId } from '#contract/ids/ids.ts'
import { providerSorts } from '#contract/users.ts'

// The gateway's calls besides chat, in OpenAI's shapes (https://platform.openai.com/docs/api-reference), as far as the gateway
// reads them. A platform gets those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

const sharedFields = {
  model: modelId,
  ...routingFields,
}
/** The answer comes in one piece. */
const noStream = z.literal(false).nullish().describe('是否流式返回：只能是 false')
const text = z.string().min(1).max(2_000_000)
const token = z.int().min(0).max(10_000_000)
const imageCount = z.int().min(1).max(10).nullish()

/** Texts, or tokens that a client has already made of them. */
export const embeddingRequest = z.looseObject({
  ...sharedFields,
  input: z
    .union([
      text,
      z.array(text).min(1).max(2048),
      z.array(token).min(1).max(100_000),
      z.array(z.array(token).min(1).max(100_000)).min(1).max(2048),
    ])
    .describe('要变成向量的文字或 Token，一段或多段'),
  encoding_format: z.enum(['float', 'base64']).nullish().describe('向量的编码：float 或 base64'),
  dimensions: z.int().min(1).max(65_536).nullish().describe('向量的维数'),
})

/** The shape of Jina, SiliconFlow, Zhipu and Bailian; OpenAI has none. */
export const rerankRequest = z.looseObject({
  ...sharedFields,
  query: text.describe('问题：按与它的相关程度排序'),
  documents: z
    .array(z.union([text, z.looseObject({ text: text.describe('待排序的文字') })]))
    .min(1)
    .max(1000)
    .describe('待排序的文字'),
  top_n: z.int().min(1).max(1000).nullish().describe('返回前几条'),
  return_documents: z.boolean().nullish().describe('是否返回原文'),
})

export const imageRequest = z.looseObject({
  ...sharedFields,
  prompt: z.string().min(1).max(32_000).describe('要画什么'),
  n: imageCount.describe('图片的张数'),
  response_format: z.enum(['url', 'b64_json']).nullish().describe('返回图片的方式：url 地址、b64_json 内容'),
  stream: noStream,
  /** Other names of `n` at some platforms, and Volcengine's series: their pictures are held and paid, too. */
  batch_size: imageCount.describe('图片的张数：一些平台的写法'),
  sequential_image_generation_options: z
    .looseObject({ max_images: imageCount.describe('最多几张图片') })
    .nullish()
    .describe('组图的设置：火山引擎的写法'),
})

export const speechRequest = z.looseObject({
  ...sharedFields,
  input: z.string().min(1).max(10_000).describe('要朗读的文字'),
  voice: z
    .union([
      z.string().min(1).max(200),
      z.looseObject({ id: z.string().min(1).max(200).describe('音色的编号') }),
    ])
    .nullish()
    .describe('音色'),
  response_format: z.string().min(1).max(20).nullish().describe('音频的格式，如 mp3'),
  speed: z.number().min(0.25).max(4).nullish().describe('语速，0.25 到 4'),
  stream_format: z.literal('audio').nullish().describe('流的格式：只能是 audio'),
})

/** The fields of the form beside `file`, which may have 25 MB; all of them are texts. */
export const transcriptionRequest = z.looseObject({
  model: sharedFields.model,
  retries: z.coerce
    .number()
    .pipe(z.int().min(0).max(10))
    .optional()
    .describe('失败过的平台还可以再问几次，0 到 10'),
  provider_sort: z.enum(providerSorts).optional().describe('平台排序方式，代替密钥的设置'),
  response_format: z
    .enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'])
    .optional()
    .describe('返回文字的格式'),
  stream: z.literal('false').optional().describe('流式返回：不支持，只能是 false'),
})

/** Largest recording, bytes; more is a 413. */
export const MAX_RECORDING_BYTES = 25_000_000

/** Fields of every JSON answer beside the platform's own. `billed_units` were counted and priced, see `priceUnits`. */
export type OperationResponse = {
  /** Names the bill: `GET /api/chat/transaction/{uuid}`. Also in the header `x-transaction-id`. */
  id: string
  model: string
  usage: { billed_units: number }
}
