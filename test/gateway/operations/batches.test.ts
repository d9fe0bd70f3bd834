import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createVector } from '../../world/upstream/operations.ts'
import { useCaller } from '../caller.ts'
import { useStrictPlatforms } from '../strict-platforms.ts'

// Platforms limit the number of inputs, and have field names of their own.

const world = useStrictPlatforms()
const caller = useCaller(world)
const embed = (model: string, input: string[], more: Partial<OpenAI.EmbeddingCreateParams> = {}) =>
  new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 }).embeddings.create({
    model,
    input,
    ...more,
  })

test('more inputs than a platform takes go in batches, and come back in their order for one bill', async () => {
  const input = Array.from({ length: 25 }, (_, nth) => `第 ${nth} 段`)
  const { data, usage } = await embed('text-embedding-v4', input)
  const sizes = world.upstream.requests.map(({ body }) => (body as { input: string[] }).input.length)
  expect(sizes.toSorted((a, b) => b - a)).toEqual([10, 10, 5])
  expect(data.map(({ index }) => index)).toEqual(input.map((_, nth) => nth))
  expect(data.map(({ embedding }) => embedding)).toEqual(input.map(createVector))
  const counted = world.upstream.requests.map(
    ({ body }) => (body as { input: string[] }).input.join('').length,
  )
  expect(usage.prompt_tokens).toBe(counted.reduce((sum, count) => sum + count, 0))
  world.upstream.reset()
})

test('a batch that fails fails the call, and nothing is charged', async () => {
  world.upstream.script('text-embedding-v4', {}, { status: 500 })
  const input = Array.from({ length: 25 }, (_, nth) => `第 ${nth} 段`)
  await expect(embed('text-embedding-v4', input)).rejects.toMatchObject({ status: 503 })
  world.upstream.reset()
})

test("fields go under Voyage's names, and those that it does not know stay behind", async () => {
  await embed('voyage-4-large', ['a'], { encoding_format: 'float', dimensions: 256 })
  const body = world.upstream.requests.at(-1)!.body
  expect(body).toEqual({ model: 'voyage-4-large', input: ['a'], output_dimension: 256 })
})
