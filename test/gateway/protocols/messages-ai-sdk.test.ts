import { createAnthropic } from '@ai-sdk/anthropic'
import { APICallError, generateText, isStepCount, Output, jsonSchema, streamText, tool } from 'ai'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller } from '../caller.ts'
import { PROVIDERS, MODELS, useProviderWorld } from '../provider-world.ts'

// The AI SDK's client of Anthropic's API.

// The library warns of abilities that an older or unknown model lacks: none is tested here.
globalThis.AI_SDK_LOG_WARNINGS = false
const world = useProviderWorld()
const caller = useCaller(world)
let anthropic: ReturnType<typeof createAnthropic>
beforeAll(() => {
  anthropic = createAnthropic({ apiKey: caller.key, baseURL: `${world.url}/api/v1` })
})

const CALL = { id: 'toolu_1', name: 'weather', arguments: '{"city":"上海"}' }

describe.each(PROVIDERS)('of a platform that speaks %s', (dialect) => {
  const id = MODELS[dialect]

  test('an answer in a stream goes through a tool and comes to its end', async () => {
    const asked: string[] = []
    const weather = tool({
      inputSchema: jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
      }),
      execute: ({ city }) => {
        asked.push(city)
        return '晴'
      },
    })
    world.upstream.script(
      id,
      { reasoning: '先查', text: '查一下', tool_calls: [CALL], chars: 2 },
      { text: '上海晴。', chars: 2 },
    )
    const result = streamText({
      model: anthropic(id),
      prompt: '上海天气',
      tools: { weather },
      stopWhen: isStepCount(3),
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
      maxOutputTokens: 2048,
      maxRetries: 0,
    })
    expect(await result.text).toBe('上海晴。')
    expect(asked).toEqual(['上海'])
    const [first, second] = await result.steps
    expect(first).toMatchObject({ reasoningText: '先查', text: '查一下', finishReason: 'tool-calls' })
    expect(second!.finishReason).toBe('stop')
    expect((await result.usage).outputTokens).toBeGreaterThan(0)
  })

  test('a whole answer is read as a text and as an object', async () => {
    world.upstream.script(id, { text: '晴', json: true })
    const { text } = await generateText({ model: anthropic(id), prompt: '上海天气', maxRetries: 0 })
    expect(text).toBe('晴')
    world.upstream.script(id, { text: '{"city":"上海"}' })
    const schema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      additionalProperties: false,
    })
    const output = Output.object({ schema })
    const answer = await generateText({ model: anthropic(id), prompt: '哪里？', output, maxRetries: 0 })
    expect(answer.output).toEqual({ city: '上海' })
  })
})

test('an error is thrown with its status', async () => {
  world.upstream.script(MODELS.openai, { status: 500 })
  const error: unknown = await generateText({
    model: anthropic(MODELS.openai),
    prompt: '?',
    maxRetries: 0,
  }).catch((cause: unknown) => cause)
  expect(APICallError.isInstance(error) && error.statusCode).toBe(500)
})

test('a stream that breaks off is an error', async () => {
  world.upstream.script(MODELS.openai, { text: '说到一半就没有了下文，因为断了。', chars: 4, cut: 3 })
  const failures: unknown[] = []
  const result = streamText({
    model: anthropic(MODELS.openai),
    prompt: '?',
    maxRetries: 0,
    onError: ({ error }) => void failures.push(error),
  })
  await result.consumeStream()
  expect(failures).toHaveLength(1)
})
