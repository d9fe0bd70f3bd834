import { z } from 'zod'
import { providerSorts } from '#contract/users.ts'

// The gateway's calls besides chat, in OpenAI's shapes (https://platform.openai.com/docs/api-reference), as far as the gateway
// reads them. A platform gets those other fields that its documentation has: src/server/llm/forwarded-fields.ts.

const sharedFields = {
  model: z.string().min(1).max(120),
  /** Ours, see chat-completions.ts. */
  retries: z.int().min(0).max(10).nullish(),
  provider_sort: z.enum(providerSorts).nullish(),
}
/** The answer comes in one piece. */
const noStream = z.literal(false).nullish()
const text = z.string().min(1).max(2_000_000)
const token = z.int().min(0).max(10_000_000)
const imageCount = z.int().min(1).max(10).nullish()

/** Texts, or tokens that a client has already made of them. */
export const embeddingRequest = z.looseObject({
  ...sharedFields,
  input: z.union([
    text,
    z.array(text).min(1).max(2048),
    z.array(token).min(1).max(100_000),
    z.array(z.array(token).min(1).max(100_000)).min(1).max(2048),
  ]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(65_536).nullish(),
})

/** The shape of Jina, SiliconFlow, Zhipu and Bailian; OpenAI has none. */
export const rerankRequest = z.looseObject({
  ...sharedFields,
  query: text,
  documents: z
    .array(z.union([text, z.looseObject({ text })]))
    .min(1)
    .max(1000),
  top_n: z.int().min(1).max(1000).nullish(),
  return_documents: z.boolean().nullish(),
})

export const imageRequest = z.looseObject({
  ...sharedFields,
  prompt: z.string().min(1).max(32_000),
  n: imageCount,
  response_format: z.enum(['url', 'b64_json']).nullish(),
  stream: noStream,
  /** Other names of `n` at some platforms, and Volcengine's series: their pictures are held and paid, too. */
  batch_size: imageCount,
  sequential_image_generation_options: z.looseObject({ max_images: imageCount }).nullish(),
})

export const speechRequest = z.looseObject({
  ...sharedFields,
  input: z.string().min(1).max(10_000),
  voice: z.union([z.string().min(1).max(200), z.looseObject({ id: z.string().min(1).max(200) })]).nullish(),
  response_format: z.string().min(1).max(20).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  stream_format: z.literal('audio').nullish(),
})

/** The fields of the form beside `file`, which may have 25 MB; all of them are texts. */
export const transcriptionRequest = z.looseObject({
  model: sharedFields.model,
  retries: z.coerce.number().pipe(z.int().min(0).max(10)).optional(),
  provider_sort: z.enum(providerSorts).optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
  stream: z.literal('false').optional(),
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
