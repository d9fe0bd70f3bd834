import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { createCaller, getBill, readError, useCaller, waitForRuns } from '../caller.ts'
import type { Caller } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Failures of the Responses API as OpenAI's own client sees them.

const world = useProviderWorld()
const caller = useCaller(world)

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const MODEL = MODELS.openai
const PATH = { path: '/api/v1/responses' }
const asked = { model: MODEL, input: '源头在哪里？' }
const createOpenAi = ({ key }: Pick<Caller, 'key'>) =>
  new OpenAI({ apiKey: key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
const withIdempotencyKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

async function getApiError(call: PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await call
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Returns the types of a stream's events, and the error while reading. */
async function readEvents(key: Pick<Caller, 'key'>, body: { model: string; input: string }) {
  const types: string[] = []
  const reading = async (): Promise<void> => {
    for await (const event of await createOpenAi(key).responses.create({ ...body, stream: true }))
      types.push(event.type)
  }
  return { error: await getApiError(reading()), types }
}

describe('a refusal', () => {
  const image = { type: 'input_image', file_id: 'file-1' }
  test.each([
    ['no input', { model: MODEL }, 'input'],
    ['an empty input', { ...asked, input: [] }, 'input'],
    ['an unknown item', { ...asked, input: [{ type: 'hologram' }] }, 'input'],
    ['a file', { ...asked, input: [{ role: 'user', content: [image] }] }, 'input'],
    ['too hot', { ...asked, temperature: 3 }, 'temperature'],
    ['a response that is none', { ...asked, previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['an item that is none', { ...asked, input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input'],
    ['a conversation', { ...asked, conversation: 'conv_1' }, 'conversation'],
    ['a stream in the background', { ...asked, background: true, stream: true }, 'stream'],
    ['the background with nothing kept', { ...asked, background: true, store: false }, 'store'],
  ])('for %s names the field', async (_, body, param) => {
    const error = await readError(await caller.post(body, PATH))
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 'bad_request' })
    expect(error.param).toContain(param)
  })

  test('for a key that is none is a 401', async () => {
    const error = await getApiError(createOpenAi({ key: 'sk-none' }).responses.create(asked))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
  })

  test('for what cannot be paid is a 402 that says not to try again', async () => {
    const poor = await createCaller(world, { credit_limit: 0.01 })
    const error = await getApiError(createOpenAi(poor).responses.create({ ...asked, input: LONG.repeat(20) }))
    expect(error).toMatchObject({ status: 402, type: 'insufficient_quota' })
    expect(error.headers?.get('x-should-retry')).toBe('false')
  })

  test('for a model that is not there is a 404, for one that is not allowed a 403', async () => {
    const missing = await getApiError(createOpenAi(caller).responses.create({ ...asked, model: 'no-such' }))
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
    expect(missing.code).toBe('model_not_found')
    const narrow = await createCaller(world, { allowed_models: ['plain'] })
    const refused = await getApiError(createOpenAi(narrow).responses.create(asked))
    expect(refused).toBeInstanceOf(OpenAI.PermissionDeniedError)
  })

  test('for too many requests is a 429 with Retry-After', async () => {
    const slow = createOpenAi(await createCaller(world, { requests_per_minute: 1 }))
    world.upstream.script(MODEL, { text: '好' })
    await slow.responses.create(asked)
    const error = await getApiError(slow.responses.create(asked))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a platform', () => {
  test.each([
    [429, 429, 'rate_limit_error'],
    [500, 503, 'server_error'],
    [401, 503, 'server_error'],
  ])('that answers %d is told as %d, stream or not', async (status, told, type) => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { status })
    for (const stream of [true, false]) {
      const error = await getApiError(createOpenAi(stranger).responses.create({ ...asked, stream }))
      expect(error).toMatchObject({ status: told, type })
    }
    for (const { id, state } of await waitForRuns(world, stranger)) {
      expect(state).toBe('failed')
      expect(await getBill(world, id)).toBeUndefined()
    }
    // The platform rests for a while.
    world.upstream.script(MODEL, { text: '好' })
    await expect.poll(() => createOpenAi(caller).responses.create(asked)).toBeTruthy()
  })

  test('that breaks off ends the stream with an error; what came is charged', async () => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { text: LONG, chars: 20, cut: 5 })
    const { types, error } = await readEvents(stranger, asked)
    expect(error).toMatchObject({ code: 'upstream_cut' })
    expect(error.message).toContain(errors.upstream_cut.message)
    expect(types).toContain('response.output_text.delta')
    expect(types).not.toContain('response.completed')
    const [run] = await waitForRuns(world, stranger)
    expect(run).toMatchObject({ state: 'failed', code: 'upstream_cut' })
    expect(await getBill(world, run!.id)).toMatchObject({ usage_source: 'counted' })
  })

  test('is aborted when the client disconnects', async () => {
    const stranger = await createCaller(world)
    world.upstream.script(MODEL, { text: LONG, chars: 10, stall: 20 })
    const stream = await createOpenAi(stranger).responses.create({ ...asked, stream: true })
    for await (const { type } of stream) if (type === 'response.output_text.delta') break
    await expect.poll(() => world.upstream.requests.at(-1)!.aborted).toBe(true)
    const [run] = await waitForRuns(world, stranger)
    expect(run!.state).toBe('cancelled')
    expect(await getBill(world, run!.id)).toMatchObject({ usage_source: 'counted' })
  })
})

test('a response that failed is the last event, with its output so far', async () => {
  world.upstream.script(MODEL, { text: LONG, chars: 20, cut: 5 })
  const response = await caller.post({ ...asked, stream: true }, PATH)
  const events = (await response.text()).trim().split('\n\n')
  const [error, last] = events.slice(-2).map((event) => JSON.parse(event.split('data: ')[1]!) as object)
  expect(error).toMatchObject({ type: 'error', code: 'upstream_cut', param: null })
  expect(last).toMatchObject({
    type: 'response.failed',
    sequence_number: events.length - 1,
    response: {
      status: 'failed',
      error: { code: 'server_error', message: errors.upstream_cut.message },
      output: [
        { type: 'message', status: 'incomplete', content: [{ text: expect.stringMatching(/^问渠/) }] },
      ],
    },
  })
})

test('calls whose pieces come by turns are written one after the other', async () => {
  const piece = (index: number, id: string, text: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, id, function: { name: 'a', arguments: text } }] } }] })}\n\n`
  world.upstream.script(MODEL, {
    raw: [piece(0, 'a', '{'), piece(1, 'b', '{}'), piece(0, 'a', '}'), 'data: [DONE]\n\n'],
  })
  const { output } = await createOpenAi(caller)
    .responses.stream({ ...asked })
    .finalResponse()
  expect(output).toMatchObject([
    { type: 'function_call', call_id: 'a', arguments: '{}' },
    { type: 'function_call', call_id: 'b', arguments: '{}' },
  ])
})

describe('an Idempotency-Key', () => {
  test('gives the same response again, in a stream too, for one charge', async () => {
    const stranger = await createCaller(world)
    const client = createOpenAi(stranger)
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
    world.upstream.script(MODEL, { reasoning: '想', text: LONG, tool_calls: [call], chars: 3 })
    const stream = () => client.responses.stream({ ...asked }, withIdempotencyKey('r1')).finalResponse()
    const first = await stream()
    expect(await stream()).toEqual(first)
    expect(first.output).toHaveLength(3)
    expect(await waitForRuns(world, stranger)).toHaveLength(1)
    const whole = await client.responses.create(asked, withIdempotencyKey('r2'))
    expect(await client.responses.create(asked, withIdempotencyKey('r2'))).toEqual(whole)
    expect(await waitForRuns(world, stranger)).toHaveLength(2)
  })

  test('is refused for another request', async () => {
    world.upstream.script(MODEL, { text: '好' })
    const client = createOpenAi(caller)
    await client.responses.create(asked, withIdempotencyKey('r3'))
    const other = await getApiError(
      client.responses.create({ ...asked, input: '另一个' }, withIdempotencyKey('r3')),
    )
    expect(other).toBeInstanceOf(OpenAI.UnprocessableEntityError)
  })
})
