import type { JsonObject } from '../chat.ts'
import { field } from '../dialects/event.ts'
import { listOf } from './work.ts'
import type { Work, WorkUnits } from './work.ts'

/** Pictures of a description (https://platform.openai.com/docs/api-reference/images); each one that comes is paid. */
export function imagesWork(json: JsonObject & { prompt: string }): Work {
  const pictures = picturesAsked(json)
  return {
    path: '/images/generations',
    body: { json },
    answer: 'json',
    counted: times(pictures),
    most: times(pictures),
    measure(answer) {
      // SiliconFlow calls them `images`.
      const made = listOf(answer, Array.isArray(answer.data) ? 'data' : 'images', 1)
      return { used: times(made.length), usage_source: 'counted' }
    },
  }
}

/** How many pictures a request asks for: `n`, SiliconFlow's `batch_size`, or a series of Volcengine's. */
export function picturesAsked(json: JsonObject): number {
  const series = field(json.sequential_image_generation_options, 'max_images')
  const counts = [json.n, json.batch_size, series].filter((count) => typeof count === 'number')
  return Math.max(1, ...counts)
}

const times = (pictures: number): WorkUnits => ({ tokens: 0, units: 0, times: pictures })
