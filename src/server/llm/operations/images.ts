import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getList } from './operation.ts'
import type { Operation, OperationUnits } from './operation.ts'

/** Pictures of a description (https://platform.openai.com/docs/api-reference/images); each one that comes is paid. */
export function createImagesOperation(json: JsonObject & { prompt: string }): Operation {
  const pictures = countRequestedImages(json)
  return {
    path: '/images/generations',
    body: { json },
    response_type: 'json',
    counted: toImageUnits(pictures),
    most: toImageUnits(pictures),
    parseUsage(answer) {
      // SiliconFlow calls them `images`.
      const images = getList(answer, Array.isArray(answer.data) ? 'data' : 'images', 1)
      return { used: toImageUnits(images.length), usage_source: 'counted' }
    },
  }
}

/** How many pictures a request asks for: `n`, SiliconFlow's `batch_size`, or a series of Volcengine's. */
export function countRequestedImages(json: JsonObject): number {
  const series = getField(json.sequential_image_generation_options, 'max_images')
  const counts = [json.n, json.batch_size, series].filter((count) => typeof count === 'number')
  return Math.max(1, ...counts)
}

const toImageUnits = (pictures: number): OperationUnits => ({ tokens: 0, units: 0, times: pictures })
