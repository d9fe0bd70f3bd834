import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, isStepCount, Output, RetryError, streamText, tool } from 'ai'
import type { LanguageModel } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '#contract/errors.ts'
import { useWorld } from '../../world/use-world.ts'
import { useCaller } from '../caller.ts'
import type { Caller } from '../caller.ts'

// The AI SDK with both of its providers that speak chat completions.

const world = useWorld()
const caller = useCaller(world)

const PROVIDERS = ['@ai-sdk/openai-compatible', '@ai-sdk/openai'] as const
type Provider = (typeof PROVIDERS)[number]

function createModel(
  provider: Provider,
  id = 'scripted',
  by: Pick<Caller, 'authorization'> = caller,
): LanguageModel {
  const settings = { baseURL: `${world.url}/api/v1`, apiKey: by.authorization.slice('Bearer '.length) }
  if (provider === '@ai-sdk/openai') return createOpenAI(settings).chat(id)
  const more = { name: 'wenqu', includeUsage: true, supportsStructuredOutputs: true }
  return createOpenAICompatible({ ...settings, ...more })(id)
}

/** Returns the reason of a rejection; fails when the promise is fulfilled. */
const getFailure = async (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable('it was expected to fail'),
    (error: unknown) => error,
  )

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const prompt = '源头在哪里？'
const getLastRequest = () => world.upstream.requests.at(-1)!

describe.each(PROVIDERS)('%s', (provider) => {
  test('takes a whole answer, its usage and why it ended', async () => {
    world.upstream.script('scripted', { text: LONG })
    const { text, usage, finishReason } = await generateText({
      model: createModel(provider),
      instructions: '用中文',
      prompt,
    })
    expect({ text, finishReason }).toEqual({ text: LONG, finishReason: 'stop' })
    expect(usage.totalTokens).toBe(usage.inputTokens! + usage.outputTokens!)
    expect(getLastRequest().body).toMatchObject({
      messages: [
        { role: 'system', content: '用中文' },
        { role: 'user', content: prompt },
      ],
    })
  })

  test('takes a stream and its usage', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 10 })
    const result = streamText({ model: createModel(provider), prompt })
    const pieces: string[] = []
    for await (const piece of result.textStream) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(10)
    expect(pieces.join('')).toBe(LONG)
    expect((await result.usage).outputTokens).toBeGreaterThan(0)
  })

  test.each([false, true])('makes the round trip of tools (stream: %s)', async (stream) => {
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
    world.upstream.script('scripted', { tool_calls: [call], chars: 4 }, { text: '上海晴，25 度' })
    const cities: string[] = []
    const weather = tool({
      description: '天气',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        cities.push(city)
        return { sky: '晴', degrees: 25 }
      },
    })
    const asked = { model: createModel(provider), prompt, tools: { weather }, stopWhen: isStepCount(3) }
    const text = stream ? await streamText(asked).text : (await generateText(asked)).text
    expect(text).toBe('上海晴，25 度')
    expect(cities).toEqual(['上海'])
    expect(getLastRequest().body).toMatchObject({
      messages: [
        { role: 'user', content: prompt },
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"晴","degrees":25}' },
      ],
    })
  })

  test('takes an object through its schema', async () => {
    world.upstream.script('scripted', { text: '{"author":"朱熹","lines":4}', chars: 5 })
    const output = Output.object({ schema: z.object({ author: z.string(), lines: z.int() }) })
    const whole = await generateText({ model: createModel(provider), prompt, output })
    expect(whole.output).toEqual({ author: '朱熹', lines: 4 })
    expect(getLastRequest().body).toMatchObject({ response_format: { type: 'json_schema' } })
    const streamed = streamText({ model: createModel(provider), prompt, output })
    expect(await streamed.output).toEqual({ author: '朱熹', lines: 4 })
  })

  test('shows a picture', async () => {
    world.upstream.script('scripted', { text: '一只猫' })
    const data = Buffer.from('89504e470d0a1a0a', 'hex')
    const file = { type: 'file', data, mediaType: 'image/png' } as const
    const content = [{ type: 'text', text: '这是什么？' } as const, file]
    const { text } = await generateText({
      model: createModel(provider),
      messages: [{ role: 'user', content }],
    })
    expect(text).toBe('一只猫')
    const url = `data:image/png;base64,${data.toString('base64')}`
    expect(getLastRequest().body).toMatchObject({
      messages: [{ content: [{ text: '这是什么？' }, { image_url: { url } }] }],
    })
  })

  test.each([
    ['a key that is none', 401, 'key_invalid', { authorization: 'Bearer sk-nothing' }, 'scripted'],
    ['a model that is not there', 404, 'model_not_found', undefined, 'no-such'],
  ] as const)('reads %s as an error', async (_, statusCode, code, by, id) => {
    const error = await getFailure(generateText({ model: createModel(provider, id, by), prompt }))
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode, isRetryable: false, message: errors[code].message })
  })

  test('asks again where that may help, and gives up in the end', async () => {
    world.upstream.script(
      'scripted',
      { status: 429, headers: { 'retry-after': '1' } },
      { text: '现在有空了' },
    )
    const { text } = await generateText({ model: createModel(provider), prompt })
    expect(text).toBe('现在有空了')
    world.upstream.script('scripted', { status: 429, headers: { 'retry-after': '1' } })
    const error = await getFailure(generateText({ model: createModel(provider), prompt, maxRetries: 1 }))
    expect(RetryError.isInstance(error)).toBe(true)
    expect((error as RetryError).lastError).toMatchObject({
      statusCode: 429,
      message: errors.upstream_rate_limited.message,
    })
  })

  test('that leaves stops the answer at the platform', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 10, stall: 10 })
    const gone = new AbortController()
    const result = streamText({ model: createModel(provider), prompt, abortSignal: gone.signal })
    for await (const { type } of result.fullStream) if (type === 'text-delta') gone.abort()
    await expect.poll(() => getLastRequest().aborted).toBe(true)
  })

  test('is told that a stream was cut', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 10, cut: 5 })
    const errorsSeen: unknown[] = []
    const result = streamText({
      model: createModel(provider),
      prompt,
      onError: ({ error }) => void errorsSeen.push(error),
    })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(LONG.startsWith(text) && text.length > 0).toBe(true)
    expect(JSON.stringify(errorsSeen)).toContain('upstream_cut')
  })
})

test('the reasoning comes apart from the text', async () => {
  world.upstream.script('scripted', { reasoning: '先想想', text: '好', chars: 1 })
  const model = createModel('@ai-sdk/openai-compatible')
  const whole = await generateText({ model, prompt })
  expect([whole.reasoningText, whole.text]).toEqual(['先想想', '好'])
  const streamed = streamText({ model, prompt })
  expect([await streamed.reasoningText, await streamed.text]).toEqual(['先想想', '好'])
})
