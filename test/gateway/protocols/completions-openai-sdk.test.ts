import OpenAI from 'openai'
import { LengthFinishReasonError } from 'openai/error'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '#contract/errors.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { createCaller } from '../caller.ts'
import type { Caller } from '../caller.ts'

// The official client against this endpoint, with only the address changed.

// The server does not wait long for a client that leaves before the first word.
const world = useOwnWorld({ capacity: { abandoned_grace_ms: 500 } })
let caller: Caller
let client: OpenAI
beforeAll(async () => {
  caller = await createCaller(world)
  client = createOpenAi(caller)
})

/** Creates the client with a key; it tries again only where a test is about that. */
function createOpenAi({ authorization }: Pick<Caller, 'authorization'>, more: object = {}): OpenAI {
  const apiKey = authorization.slice('Bearer '.length)
  return new OpenAI({ baseURL: `${world.url}/api/v1`, apiKey, maxRetries: 0, ...more })
}

/** Returns the reason of a rejection; fails when the promise is fulfilled. */
const getFailure = async (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable('it was expected to fail'),
    (error: unknown) => error,
  )

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const userNotification = (content: string) => [{ role: 'user', content } as const]
const asked = { model: 'scripted', messages: userNotification('源头在哪里？') }
const getUpstreamBody = () => world.upstream.requests.at(-1)!.body as Record<string, unknown>

describe('an answer', () => {
  test('comes whole', async () => {
    world.upstream.script('scripted', { text: LONG, reasoning: '先想想' })
    const completion = await client.chat.completions.create(asked)
    expect(completion.choices[0]!.message).toMatchObject({ content: LONG, reasoning_content: '先想想' })
    expect(completion.choices[0]!.finish_reason).toBe('stop')
    const { prompt_tokens, completion_tokens, total_tokens } = completion.usage!
    expect(total_tokens).toBe(prompt_tokens + completion_tokens)
    expect(completion._request_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('comes in a stream, with its reasoning and its usage', async () => {
    world.upstream.script('scripted', { text: LONG, reasoning: '先想想', chars: 3 })
    const options = { stream: true, stream_options: { include_usage: true } } as const
    const stream = await client.chat.completions.create({ ...asked, ...options })
    let [text, thought, finish, tokens] = ['', '', '', 0]
    for await (const { choices, usage } of stream) {
      const delta: { content?: string | null; reasoning_content?: string } = choices[0]?.delta ?? {}
      text += delta.content ?? ''
      thought += delta.reasoning_content ?? ''
      finish = choices[0]?.finish_reason ?? finish
      tokens = usage?.total_tokens ?? tokens
    }
    expect({ text, thought, finish }).toEqual({ text: LONG, thought: '先想想', finish: 'stop' })
    expect(tokens).toBeGreaterThan(0)
  })

  test('is gathered by the helper for streams', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 10 })
    const received: string[] = []
    const runner = client.chat.completions
      .stream({ ...asked, stream_options: { include_usage: true } })
      .on('content', (delta) => received.push(delta))
    const completion = await runner.finalChatCompletion()
    expect(completion.choices[0]!.message).toMatchObject({ role: 'assistant', content: LONG })
    expect(received.length).toBeGreaterThan(10)
    expect(received.join('')).toBe(LONG)
    expect((await runner.totalUsage()).total_tokens).toBeGreaterThan(0)
  })

  test('is about a picture', async () => {
    world.upstream.script('scripted', { text: '一只猫' })
    const url = `data:image/png;base64,${'iVBORw0KGgo='.repeat(100_000)}`
    const content = [
      { type: 'text', text: '这是什么？' } as const,
      { type: 'image_url', image_url: { url, detail: 'low' } } as const,
    ]
    const { choices } = await client.chat.completions.create({
      ...asked,
      messages: [{ role: 'user', content }],
    })
    expect(choices[0]!.message.content).toBe('一只猫')
    expect(getUpstreamBody().messages).toMatchObject([
      { content: [content[0], { type: 'image_url', image_url: { url } }] },
    ])
  })
})

describe('tools', () => {
  const weather = z.object({ city: z.string() })
  const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }

  test.each([false, true])('make the round trip by themselves (stream: %s)', async (stream) => {
    world.upstream.script('scripted', { tool_calls: [call], chars: 4 }, { text: '上海晴，25 度' })
    const cities: string[] = []
    const tool = zodFunction({
      name: 'weather',
      description: '天气',
      parameters: weather,
      function: ({ city }) => {
        cities.push(city)
        return '晴，25 度'
      },
    })
    const runner = stream
      ? client.chat.completions.runTools({ ...asked, tools: [tool], stream: true })
      : client.chat.completions.runTools({ ...asked, tools: [tool] })
    expect(await runner.finalContent()).toBe('上海晴，25 度')
    expect(cities).toEqual(['上海'])
    expect(getUpstreamBody()).toMatchObject({
      messages: [
        asked.messages[0],
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: '晴，25 度' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    })
  })

  test('are read through their schema', async () => {
    world.upstream.script('scripted', { tool_calls: [call] })
    const tools = [zodFunction({ name: 'weather', parameters: weather })]
    const { choices } = await client.chat.completions.parse({ ...asked, tools, tool_choice: 'required' })
    expect(choices[0]!.finish_reason).toBe('tool_calls')
    expect(choices[0]!.message.tool_calls).toMatchObject([
      { function: { parsed_arguments: { city: '上海' } } },
    ])
  })
})

describe('JSON', () => {
  test('is requested', async () => {
    world.upstream.script('scripted', { text: '{"好":true}' })
    const { choices } = await client.chat.completions.create({
      ...asked,
      response_format: { type: 'json_object' },
    })
    expect(JSON.parse(choices[0]!.message.content!)).toEqual({ 好: true })
    expect(getUpstreamBody()).toMatchObject({ response_format: { type: 'json_object' } })
  })

  test('is read through its schema', async () => {
    world.upstream.script('scripted', { text: '{"author":"朱熹","lines":4}' })
    const poem = z.object({ author: z.string(), lines: z.int() })
    const responseFormat = zodResponseFormat(poem, 'poem')
    const completion = await client.chat.completions.parse({ ...asked, response_format: responseFormat })
    expect(completion.choices[0]!.message.parsed).toEqual({ author: '朱熹', lines: 4 })
    expect(getUpstreamBody()).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'poem', schema: { required: ['author', 'lines'] } },
      },
    })
  })

  test('that was cut off by its length is told apart', async () => {
    world.upstream.script('scripted', { text: '{"author":', finish: 'length' })
    const responseFormat = zodResponseFormat(z.object({ author: z.string() }), 'poem')
    const parsing = client.chat.completions.parse({ ...asked, response_format: responseFormat })
    expect(await getFailure(parsing)).toBeInstanceOf(LengthFinishReasonError)
  })
})

test('models are listed and told one by one', async () => {
  const ids: string[] = []
  for await (const { id, object } of client.models.list()) ids.push(`${object} ${id}`)
  expect(ids).toContain('model scripted-paid')
  expect(await client.models.retrieve('flat')).toMatchObject({ id: 'flat', owned_by: 'scripted' })
  expect(await getFailure(client.models.retrieve('nothing'))).toBeInstanceOf(OpenAI.NotFoundError)
})

describe('an error is of the client’s own class', () => {
  const failing = async (by: OpenAI, body: object = {}): Promise<InstanceType<typeof OpenAI.APIError>> => {
    const error = await getFailure(by.chat.completions.create({ ...asked, ...body }))
    expect(error).toBeInstanceOf(OpenAI.APIError)
    return error as InstanceType<typeof OpenAI.APIError>
  }

  test('a key that is none', async () => {
    const error = await failing(createOpenAi({ authorization: 'Bearer sk-nothing' }))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ code: 'key_invalid', type: 'authentication_error' })
    expect(error.message).toContain(errors.key_invalid.message)
    expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a model that the key may not use', async () => {
    const narrow = await createCaller(world, { allowed_models: ['flat'] })
    const error = await failing(createOpenAi(narrow))
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError)
    expect(error.code).toBe('model_not_allowed')
  })

  test('a model that is not there, a field that is wrong', async () => {
    const missing = await failing(client, { model: 'no-such' })
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
    const wrong = await failing(client, { temperature: 3 })
    expect(wrong).toBeInstanceOf(OpenAI.BadRequestError)
    expect(wrong.param).toBe('temperature')
  })

  test('too many requests, with the time to wait', async () => {
    const slow = createOpenAi(await createCaller(world, { requests_per_minute: 1 }))
    world.upstream.script('scripted', { text: '好' })
    await slow.chat.completions.create(asked)
    const error = await failing(slow)
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error.type).toBe('rate_limit_error')
    expect(Number(error.headers!.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a conversation that is busy', async () => {
    world.upstream.script('scripted', { text: '慢慢说', stall: 1 })
    const before = world.upstream.requests.length
    const busy = { ...asked, sess_id: 'busy' }
    const first = client.chat.completions.create(busy)
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    expect(await failing(client, { sess_id: 'busy' })).toBeInstanceOf(OpenAI.ConflictError)
    world.upstream.release()
    expect((await first).choices[0]!.message.content).toBe('慢慢说')
  })
})

describe('trying again', () => {
  /** Returns a client that may try twice more, and a counter of its calls. */
  function trying(by: Caller): { client: OpenAI; calls: () => number } {
    let calls = 0
    const counted: typeof fetch = (...given) => {
      calls += 1
      return fetch(...given)
    }
    return { client: createOpenAi(by, { maxRetries: 2, fetch: counted }), calls: () => calls }
  }

  test('a platform that is busy is retried after its Retry-After, and answers', async () => {
    world.upstream.script(
      'scripted',
      { status: 429, headers: { 'retry-after': '1' } },
      { text: '现在有空了' },
    )
    const patient = trying(caller)
    const { choices } = await patient.client.chat.completions.create(asked)
    expect(choices[0]!.message.content).toBe('现在有空了')
    expect(patient.calls()).toBe(2)
  })

  test('an empty balance and a refused request are not', async () => {
    const poor = trying(await createCaller(world, { credit_limit: 0.5 }))
    const unpaid = await getFailure(poor.client.chat.completions.create({ ...asked, model: 'flat' }))
    expect(unpaid).toMatchObject({ status: 402, code: 'key_limit_reached', type: 'insufficient_quota' })
    expect(poor.calls()).toBe(1)
    world.upstream.script('scripted', { status: 400 })
    const stubborn = trying(caller)
    const refused = await getFailure(stubborn.client.chat.completions.create(asked))
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError)
    expect(refused).toMatchObject({ status: 400, code: 'request_rejected' })
    expect(stubborn.calls()).toBe(1)
  })
})

describe('a client that leaves', () => {
  const newest = () => world.upstream.requests.at(-1)!

  test('in the middle of a stream stops it at the platform', async () => {
    world.upstream.script('scripted', { text: LONG, chars: 10, stall: 10 })
    const stream = await client.chat.completions.create({ ...asked, stream: true })
    for await (const { choices } of stream) {
      if (choices[0]?.delta.content) break
    }
    expect(stream.controller.signal.aborted).toBe(true)
    await expect.poll(() => newest().aborted).toBe(true)
  })

  test('by its own signal stops it as well', async () => {
    world.upstream.script('scripted', { text: LONG, stall: 'headers' })
    const before = world.upstream.requests.length
    const gone = new AbortController()
    const failure = getFailure(client.chat.completions.create(asked, { signal: gone.signal }))
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    gone.abort()
    expect(await failure).toBeInstanceOf(OpenAI.APIUserAbortError)
    await expect.poll(() => newest().aborted).toBe(true)
  })

  test('because it waited too long stops it as well', async () => {
    world.upstream.script('scripted', { text: LONG, stall: 'headers' })
    const before = world.upstream.requests.length
    const failure = getFailure(client.chat.completions.create(asked, { timeout: 5_000 }))
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    expect(await failure).toBeInstanceOf(OpenAI.APIConnectionTimeoutError)
    await expect.poll(() => newest().aborted).toBe(true)
  })
})

test('a stream that breaks off is an error, after what came', async () => {
  world.upstream.script('scripted', { text: LONG, chars: 10, cut: 5 })
  const stream = await client.chat.completions.create({ ...asked, stream: true })
  let text = ''
  const reading = (async () => {
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  })()
  const error = await getFailure(reading)
  expect(error).toBeInstanceOf(OpenAI.APIError)
  expect(error).toMatchObject({ code: 'upstream_cut', type: 'server_error' })
  expect(text.length).toBeGreaterThan(0)
  expect(LONG.startsWith(text)).toBe(true)
})

test('a completion in the background is fetched by its id', async () => {
  world.upstream.script('scripted', { text: LONG })
  const background = { ...asked, background: true }
  const pending = await client.post<{ id: string; status: string }>('/chat/completions', { body: background })
  expect(pending.status).toBe('pending')
  const look = () => client.get<{ status: string } & OpenAI.Chat.ChatCompletion>(`/chat/${pending.id}`)
  await expect.poll(async () => (await look()).status).toBe('completed')
  expect((await look()).choices[0]!.message.content).toBe(LONG)
})
