import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCaller } from '../caller.ts'
import { PROVIDERS, MODELS, useProviderWorld } from '../provider-world.ts'

// The AI SDK's client of OpenAI's Responses API, which is its default: it refers to kept responses.

// The library warns of abilities that an older or unknown model lacks: none is tested here.
globalThis.AI_SDK_LOG_WARNINGS = false
const world = useProviderWorld()
const caller = useCaller(world)
let openai: ReturnType<typeof createOpenAI>
beforeAll(() => {
  openai = createOpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1` })
})

const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }

describe.each(PROVIDERS)('of a platform that speaks %s', (dialect) => {
  const id = MODELS[dialect]

  test.each([
    ['as it comes', undefined],
    ['with nothing kept', { openai: { store: false } }],
  ])('an answer in a stream goes through a tool and comes to its end, %s', async (_, providerOptions) => {
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
      model: openai(id),
      prompt: '上海天气',
      tools: { weather },
      stopWhen: isStepCount(3),
      ...(providerOptions ? { providerOptions } : {}),
      maxRetries: 0,
    })
    expect(await result.text).toBe('上海晴。')
    expect(asked).toEqual(['上海'])
    const [first, second] = await result.steps
    expect(first).toMatchObject({ reasoningText: '先查', text: '查一下', finishReason: 'tool-calls' })
    expect(second!.finishReason).toBe('stop')
    expect((await result.usage).outputTokens).toBeGreaterThan(0)
    const sent = JSON.stringify(world.upstream.requests.at(-1)!.body)
    for (const part of ['上海天气', '查一下', 'weather', '晴']) expect(sent).toContain(part)
  })
})

test('an error is thrown with its status', async () => {
  world.upstream.script(MODELS.openai, { status: 500 })
  const asked = { model: openai.responses(MODELS.openai), prompt: '?', maxRetries: 0 }
  const error: unknown = await generateText(asked).catch((cause: unknown) => cause)
  expect(APICallError.isInstance(error) && error.statusCode).toBe(503)
})

test('a stream that breaks off is an error', async () => {
  world.upstream.script(MODELS.openai, { text: '说到一半就没有了下文，因为断了。', chars: 4, cut: 3 })
  const failures: unknown[] = []
  const result = streamText({
    model: openai.responses(MODELS.openai),
    prompt: '?',
    maxRetries: 0,
    onError: ({ error }) => void failures.push(error),
  })
  await result.consumeStream()
  expect(failures).toHaveLength(1)
})
