import { expect, test } from 'vitest'
import { useCaller } from '../caller.ts'
import { useStrictPlatforms } from '../strict-platforms.ts'

// A model's window holds the prompt and the answer: the gateway never requests more than the prompt leaves.

const world = useStrictPlatforms()
const caller = useCaller(world)
/** About 21,000 tokens of 32,768. */
const LONG = '中文内容测试。'.repeat(5000)
const messages = [{ role: 'user', content: LONG }]

test.each([
  ['/api/v1/chat/completions', {}],
  ['/api/v1/chat/completions', { max_tokens: 16_384 }],
  ['/api/v1/messages', { max_tokens: 16_384 }],
  ['/api/v1/responses', { messages: undefined, input: LONG }],
])('at %s with %o', async (path, more) => {
  world.upstream.script('own-qwen', { text: '好' })
  const response = await caller.post({ model: 'own-qwen', messages, ...more }, { path })
  expect(response.status).toBe(200)
  const { max_tokens } = world.upstream.requests.at(-1)!.body as { max_tokens: number }
  expect(max_tokens).toBeGreaterThan(8_000)
  expect(max_tokens).toBeLessThan(32_768 - 21_000)
})

test('a short prompt leaves all that the model may answer', async () => {
  await caller.complete({ model: 'own-qwen', messages: [{ role: 'user', content: '?' }] })
  expect(world.upstream.requests.at(-1)!.body).toMatchObject({ max_tokens: 16_384 })
})
