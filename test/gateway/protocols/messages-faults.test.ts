import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import type { AnthropicError } from '#contract/gateway/errors.ts'
import { createCaller, getBill, useCaller, userMessages, waitForRuns } from '../caller.ts'
import type { Caller } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Failures as clients of Anthropic's API see them: https://platform.claude.com/docs/en/api/errors

const world = useProviderWorld()
const caller = useCaller(world)

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const MODEL = MODELS.openai
const asked = {
  model: MODEL,
  max_tokens: 1000,
  messages: userMessages('源头在哪里？') as Anthropic.MessageParam[],
}
/** Creates the client with a key; it tries again only where a test is about that. */
const createAnthropic = ({ key }: Pick<Caller, 'key'>, more: object = {}) =>
  new Anthropic({ apiKey: key, baseURL: `${world.url}/api`, maxRetries: 0, ...more })
const withIdempotencyKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

async function getApiError(call: PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  try {
    await call
  } catch (error) {
    if (error instanceof Anthropic.APIError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a refusal', () => {
  test.each([
    ['no max_tokens', { ...asked, max_tokens: undefined }, 'max_tokens'],
    ['no messages', { ...asked, messages: [] }, 'messages'],
    ['an unknown role', { ...asked, messages: [{ role: 'wizard', content: '' }] }, 'messages.0.role'],
    [
      'an unknown block',
      { ...asked, messages: [{ role: 'user', content: [{ type: 'hologram' }] }] },
      'messages.0.content',
    ],
    ['too hot', { ...asked, temperature: 1.5 }, 'temperature'],
    ['a thought too short', { ...asked, thinking: { type: 'enabled', budget_tokens: 5 } }, 'thinking'],
  ])('for %s names the field', async (_, body, field) => {
    const response = await caller.post(body, { path: '/api/v1/messages' })
    expect(response.status).toBe(400)
    const { type, error, request_id } = (await response.json()) as AnthropicError
    expect(type).toBe('error')
    expect(error.type).toBe('invalid_request_error')
    expect(error.message).toContain(field)
    expect(request_id).toBe(response.headers.get('request-id'))
    expect(request_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('for a key that is none is a 401', async () => {
    const error = await getApiError(createAnthropic({ key: 'sk-none' }).messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error' })
    expect(error.message).toContain(errors.key_invalid.message)
    const count = createAnthropic({ key: 'sk-none' }).messages.countTokens(asked)
    expect(await getApiError(count)).toBeInstanceOf(Anthropic.AuthenticationError)
  })

  test('for what cannot be paid is a 402 that says not to try again', async () => {
    const poor = await createCaller(world, { credit_limit: 0.01 })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: LONG.repeat(20) }]
    const error = await getApiError(createAnthropic(poor).messages.create({ ...asked, messages }))
    expect(error).toMatchObject({ status: 402, type: 'billing_error' })
    expect(error.headers?.get('x-should-retry')).toBe('false')
  })

  test('for a model that the key may not use is a 403', async () => {
    const narrow = await createCaller(world, { allowed_models: ['plain'] })
    const error = await getApiError(createAnthropic(narrow).messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.PermissionDeniedError)
    expect(error.type).toBe('permission_error')
    const count = await getApiError(createAnthropic(narrow).messages.countTokens(asked))
    expect(count).toBeInstanceOf(Anthropic.PermissionDeniedError)
  })

  test('for what is not there is a 404', async () => {
    for (const path of ['/api/v1/messages/nothing', '/api/v1/messages/batches'])
      expect((await caller.post({}, { path })).status).toBe(404)
    const client = createAnthropic(caller)
    const error = await getApiError(client.messages.create({ ...asked, model: 'no-such' }))
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(error.type).toBe('not_found_error')
    expect(await getApiError(client.messages.countTokens({ ...asked, model: 'no-such' }))).toBeInstanceOf(
      Anthropic.NotFoundError,
    )
  })

  test('for too many requests is a 429 with Retry-After', async () => {
    const slow = createAnthropic(await createCaller(world, { requests_per_minute: 1 }))
    world.upstream.script(MODEL, { text: '好' })
    await slow.messages.create(asked)
    const error = await getApiError(slow.messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.RateLimitError)
    expect(error.type).toBe('rate_limit_error')
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0)
  })

  test('of a platform that is busy says when to try again, and then there is an answer', async () => {
    const afters: (string | null)[] = []
    const recordingFetch: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      afters.push(response.headers.get('retry-after'))
      return response
    }
    world.upstream.script(MODEL, { status: 429, headers: { 'retry-after': '1' } }, { text: '现在有空了' })
    const { content } = await createAnthropic(caller, {
      maxRetries: 2,
      fetch: recordingFetch,
    }).messages.create(asked)
    expect(content).toMatchObject([{ type: 'text', text: '现在有空了' }])
    expect(afters).toEqual(['1', null])
  })

  test('of a body beyond 32 MB is a 413', async () => {
    const body = JSON.stringify({ ...asked, filler: 'a'.repeat(32_000_001) })
    const response = await caller.post(body, { path: '/v1/messages' })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { type: 'request_too_large' } })
  })
})

describe('a platform', () => {
  test.each([
    [429, 429, 'rate_limit_error'],
    [529, 529, 'overloaded_error'],
    [500, 500, 'api_error'],
    [401, 500, 'api_error'],
  ])('that answers %d is told as %d, stream or not', async (status, told, type) => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { status })
    for (const stream of [true, false]) {
      const error = await getApiError(createAnthropic(stranger).messages.create({ ...asked, stream }))
      expect(error).toMatchObject({ status: told, type })
    }
    const runs = await waitForRuns(world, stranger)
    expect(runs).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
    for (const { id } of runs) expect(await getBill(world, id)).toBeUndefined()
    // The platform must not rest beyond this test.
    world.upstream.script(MODEL, { text: '好' })
    await expect.poll(() => createAnthropic(caller).messages.create(asked)).toBeTruthy()
  })

  test('that breaks off ends the stream with an error and no message_stop; what came is charged', async () => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { text: LONG, chars: 20, cut: 5 })
    const types: string[] = []
    const reading = async (): Promise<void> => {
      const stream = await createAnthropic(stranger).messages.create({ ...asked, stream: true })
      for await (const event of stream) types.push(event.type)
    }
    const error = await getApiError(reading())
    expect(error.type).toBe('api_error')
    expect(error.message).toContain(errors.upstream_cut.message)
    expect(types).toContain('content_block_delta')
    expect(types).not.toContain('message_stop')
    const [run] = await waitForRuns(world, stranger)
    expect(run).toMatchObject({ state: 'failed', code: 'upstream_cut' })
    expect(await getBill(world, run!.id)).toMatchObject({ usage_source: 'counted' })
  })

  test('is aborted when the client disconnects', async () => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { text: LONG, chars: 10, stall: 20 })
    const stream = createAnthropic(stranger).messages.stream(asked)
    stream.on('text', () => stream.abort())
    await expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await expect.poll(() => world.upstream.requests.at(-1)!.aborted).toBe(true)
    const [run] = await waitForRuns(world, stranger)
    expect(run!.state).toBe('cancelled')
    expect(await getBill(world, run!.id)).toMatchObject({ usage_source: 'counted' })
  })
})

test('calls whose pieces come by turns are written one after the other', async () => {
  const piece = (index: number, id: string, text: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, id, function: { name: 'a', arguments: text } }] } }] })}\n\n`
  world.upstream.script(MODEL, {
    raw: [piece(0, 'a', '{'), piece(1, 'b', '{}'), piece(0, 'a', '}'), 'data: [DONE]\n\n'],
  })
  const { content } = await createAnthropic(caller).messages.stream(asked).finalMessage()
  expect(content).toMatchObject([
    { type: 'tool_use', id: 'a', input: {} },
    { type: 'tool_use', id: 'b', input: {} },
  ])
})

describe('an Idempotency-Key', () => {
  test('gives the same message again, in a stream too, for one charge', async () => {
    const stranger = await createCaller(world)
    const client = createAnthropic(stranger)
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
    world.upstream.script(MODEL, { reasoning: '想', text: LONG, tool_calls: [call], chars: 3 })
    const first = await client.messages.stream(asked, withIdempotencyKey('m1')).finalMessage()
    const second = await client.messages.stream(asked, withIdempotencyKey('m1')).finalMessage()
    expect(second).toMatchObject({ id: first.id, content: first.content, stop_reason: 'tool_use' })
    expect(second.usage.output_tokens).toBe(first.usage.output_tokens)
    expect(await waitForRuns(world, stranger)).toHaveLength(1)
    const whole = await client.messages.create(asked, withIdempotencyKey('m2'))
    expect(await client.messages.create(asked, withIdempotencyKey('m2'))).toEqual(whole)
    expect(await waitForRuns(world, stranger)).toHaveLength(2)
  })

  test('is refused for another request, and at another endpoint', async () => {
    world.upstream.script(MODEL, { text: '好' })
    const client = createAnthropic(caller)
    await client.messages.create(asked, withIdempotencyKey('m3'))
    const other = await getApiError(
      client.messages.create({ ...asked, max_tokens: 7 }, withIdempotencyKey('m3')),
    )
    expect(other).toBeInstanceOf(Anthropic.UnprocessableEntityError)
    const elsewhere = await caller.post({ model: MODEL, messages: asked.messages }, withIdempotencyKey('m3'))
    expect(elsewhere.status).toBe(422)
  })
})
