import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getList } from './operation.ts'
import type { Operation, OperationUnits } from './operation.ts'

/** Images from a description (https://platform.openai.com/docs/api-reference/images); each one that comes is charged. */
export function createImagesOperation(json: JsonObject & { prompt: string }): Operation {
  const count = countRequestedImages(json)
  const requested = toPicture(json)
  return {
    path: '/images/generations',
    body: { json },
    response_type: 'json',
    counted: toImageUnits(count, requested),
    max: toImageUnits(count, requested),
    parseUsage(answer) {
      // SiliconFlow calls them `images`; some of its answers have both.
      const images = getList(answer, Array.isArray(answer.data) ? 'data' : 'images', 1)
      const picture = { ...requested, ...toPicture(answer) }
      return { used: toImageUnits(Math.min(images.length, count), picture), usage_source: 'counted' }
    },
    trimAnswer: (answer) => ({
      ...answer,
      ...cutList(answer, 'data', count),
      ...cutList(answer, 'images', count),
    }),
  }
}

/** How many images a request asks for: `n`, SiliconFlow's `batch_size`, or Volcengine's series. */
export function countRequestedImages(json: JsonObject): number {
  const series = getField(json.sequential_image_generation_options, 'max_images')
  const counts = [json.n, json.batch_size, series].filter((count) => typeof count === 'number')
  return Math.max(1, ...counts)
}

const cutList = (answer: JsonObject, name: string, count: number): JsonObject => {
  const list = answer[name]
  return Array.isArray(list) ? { [name]: list.slice(0, count) } : {}
}

type Picture = NonNullable<OperationUnits['picture']>

/** Size and quality as a request or an answer names them; what is left to the platform is unknown. */
function toPicture({ size, quality }: JsonObject): Picture {
  const isNamed = (value: unknown): value is string => typeof value === 'string' && value !== 'auto'
  return { ...(isNamed(size) ? { size } : {}), ...(isNamed(quality) ? { quality } : {}) }
}

const toImageUnits = (images: number, picture: Picture): OperationUnits => ({
  tokens: 0,
  units: 0,
  times: images,
  picture,
})
