import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getList, getMaxTokens } from './operation.ts'
import type { Operation, OperationUnits } from './operation.ts'

/** Images from a description (https://platform.openai.com/docs/api-reference/images); each image that comes is charged. */
export function createImagesOperation(json: JsonObject & { prompt: string }): Operation {
  const count = countRequestedImages(json)
  const requested = toPicture(json)
  return {
    path: '/images/generations',
    body: { json },
    response_type: 'json',
    counted: toImageUnits(count, requested),
    max: {
      ...toImageUnits(count, requested),
      tokens: getMaxTokens(json.prompt),
      picture_tokens: count * MAX_PICTURE_TOKENS,
    },
    parseUsage(answer) {
      // SiliconFlow calls them `images`; some of its answers have both.
      const images = getList(answer, Array.isArray(answer.data) ? 'data' : 'images', 1)
      const picture = { ...requested, ...toPicture(answer) }
      const units = toImageUnits(Math.min(images.length, count), picture)
      const tokens = readTokens(answer, count)
      return tokens
        ? { used: { ...units, ...tokens }, usage_source: 'upstream' }
        : { used: units, usage_source: 'counted' }
    },
    trimAnswer: (answer) => ({
      ...answer,
      ...cutList(answer, 'data', count),
      ...cutList(answer, 'images', count),
    }),
  }
}

/** Counts the images that a request asks for: `n`, SiliconFlow's `batch_size`, or Volcengine's series. */
function countRequestedImages(json: JsonObject): number {
  const series = getField(json.sequential_image_generation_options, 'max_images')
  const counts = [json.n, json.batch_size, series].filter((count) => typeof count === 'number')
  return Math.max(1, ...counts)
}

const cutList = (answer: JsonObject, name: string, count: number): JsonObject => {
  const list = answer[name]
  return Array.isArray(list) ? { [name]: list.slice(0, count) } : {}
}

/** Most tokens of one picture: OpenAI's largest at high quality takes 6,240, a square one 4,160. */
const MAX_PICTURE_TOKENS = 8_192
/** Tokens of one picture, for a platform that prices them and reports none that can be true. */
const COUNTED_PICTURE_TOKENS = 4_160

/** Tokens of prompt and pictures as OpenAI's newer models report them; null where they cannot be true. */
function readTokens(
  answer: JsonObject,
  count: number,
): Pick<OperationUnits, 'tokens' | 'picture_tokens'> | null {
  const tokens = getField(answer['usage'], 'input_tokens')
  const pictureTokens = getField(answer['usage'], 'output_tokens')
  const isCount = (value: unknown, max: number): value is number =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= max
  if (!isCount(tokens, MAX_PROMPT_TOKENS) || !isCount(pictureTokens, count * MAX_PICTURE_TOKENS)) return null
  return { tokens, picture_tokens: pictureTokens }
}

/** OpenAI takes prompts of 32,000 characters. */
const MAX_PROMPT_TOKENS = 100_000

type Picture = NonNullable<OperationUnits['picture']>

/** Size and quality as a request or an answer names them; absent where they are left to the platform. */
function toPicture({ size, quality }: JsonObject): Picture {
  const isNamed = (value: unknown): value is string => typeof value === 'string' && value !== 'auto'
  return { ...(isNamed(size) ? { size } : {}), ...(isNamed(quality) ? { quality } : {}) }
}

const toImageUnits = (images: number, picture: Picture): OperationUnits => ({
  tokens: 0,
  units: 0,
  times: images,
  picture,
  picture_tokens: images * COUNTED_PICTURE_TOKENS,
})
