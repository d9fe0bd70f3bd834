import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { useWorld } from '../../world/use-world.ts'
import { readError, createCaller, userMessages, waitForRuns } from '../caller.ts'
import type { Caller } from '../caller.ts'

const world = useWorld()
let caller: Caller
beforeAll(async () => {
  caller = await createCaller(world)
  world.upstream.script('scripted', { text: '好' })
  world.upstream.script('flat', { text: '好' })
})

const asked = { model: 'scripted', messages: userMessages('?') }

test.each([
  ['no body', '', 'body'],
  ['no JSON', '{', 'body'],
  ['a list', '[]', 'body'],
  ['no model', { messages: userMessages('?') }, 'model'],
  ['no messages', { model: 'scripted', messages: [] }, 'messages'],
  ['an unknown role', { ...asked, messages: [{ role: 'wizard', content: '' }] }, 'messages.0.role'],
  ['a message without content', { ...asked, messages: [{ role: 'user' }] }, 'messages.0.content'],
  [
    'a result without its call',
    { ...asked, messages: [{ role: 'tool', content: '' }] },
    'messages.0.tool_call_id',
  ],
  ['too hot', { ...asked, temperature: 3 }, 'temperature'],
  ['too many answers', { ...asked, n: 17 }, 'n'],
  ['a seed that loses its digits', { ...asked, seed: 2 ** 53 }, 'seed'],
  ['a bias that is none', { ...asked, logit_bias: { 50256: 101 } }, 'logit_bias.50256'],
  ['nothing to say', { ...asked, max_tokens: 0 }, 'max_tokens'],
])('%s is a 400 that names the field', async (_, body, param) => {
  const error = await readError(await caller.post(body))
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 'bad_request', param })
})

test.each([
  ['/api/v1/chat/completions', asked],
  ['/api/v1/completions', { model: 'scripted', prompt: '?' }],
])('%s refuses to search the web rather than answer without it', async (path, body) => {
  const error = await readError(await caller.post({ ...body, enable_search: true }, { path }))
  expect(error).toMatchObject({ status: 400, code: 'tool_unavailable', param: 'enable_search' })
  expect(error.message).toContain('联网搜索未开启')
  expect((await caller.post({ ...body, enable_search: false }, { path })).status).toBe(200)
})

test('a prompt that no context can hold is a 400', async () => {
  const error = await readError(await caller.post({ ...asked, messages: userMessages('a '.repeat(400_000)) }))
  expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded' })
})

test('a body beyond 32 MB is a 413', async () => {
  const response = await caller.post(JSON.stringify({ ...asked, filler: 'a'.repeat(32_000_001) }))
  expect(await readError(response)).toMatchObject({ status: 413, code: 'payload_too_large' })
})

describe('a compressed body', () => {
  const send = (bytes: Buffer<ArrayBuffer>, encoding = 'gzip') =>
    fetch(`${world.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: caller.authorization,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body: bytes,
    })

  test('is read, of any size within the bound', async () => {
    for (const filler of ['', 'a'.repeat(25_000_000)]) {
      expect((await send(gzipSync(JSON.stringify({ ...asked, filler })))).status).toBe(200)
    }
  })

  test('of few bytes that become too many is a 413', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000, ' '))
    expect(bomb.length).toBeLessThan(100_000)
    expect(await readError(await send(bomb))).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test('that is none is a 400, in another encoding a 415', async () => {
    const whole = gzipSync(JSON.stringify(asked))
    for (const bytes of [Buffer.from('{}'), whole.subarray(0, whole.length / 2)]) {
      expect(await readError(await send(bytes))).toMatchObject({ status: 400, param: 'body' })
    }
    expect(await readError(await send(whole, 'br'))).toMatchObject({ status: 415, code: 'unsupported_media' })
  })
})

test.each([
  ['no key', {}],
  ['a key that is none', { authorization: 'Bearer sk-anything' }],
  ['another scheme', { authorization: 'Basic abc' }],
])('%s is a 401, whatever is asked', async (_, headers: Record<string, string>) => {
  for (const path of ['/api/v1/models', '/v1/chat/completions', '/api/v1/nothing']) {
    const response = await fetch(world.url + path, { headers })
    const error = await readError(response)
    expect(error).toMatchObject({ status: 401, type: 'authentication_error', code: 'key_invalid' })
    expect(response.headers.get('x-request-id')).toBeTruthy()
  }
})

const OPENAI_REFUSAL = { error: { type: 'permission_error', code: 'provision_key_refused' } }
test.each([
  ['/api/v1/chat/completions', OPENAI_REFUSAL],
  ['/api/v1/responses', OPENAI_REFUSAL],
  ['/api/v1/embeddings', OPENAI_REFUSAL],
  ['/api/v1/messages', { type: 'error', error: { type: 'permission_error' } }],
])('%s says of a provision key that it manages keys', async (path, refusal) => {
  const { raw_value } = await caller.user.call('POST /api/provision_keys', { body: { name: '管理' } })
  for (const [name, value] of [
    ['authorization', `Bearer ${raw_value}`],
    ['x-api-key', raw_value!],
  ] as const) {
    const headers = { [name]: value }
    const response = await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(asked) })
    expect(response.status).toBe(403)
    const body = (await response.json()) as { error: { message: string } }
    expect(body).toMatchObject(refusal)
    expect(body.error.message).toContain('管理密钥')
  }
})

test('what is not there is a 404 in the shape of the gateway', async () => {
  expect(await readError(await caller.get('/api/v1/nothing'))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
  expect(await readError(await caller.post({ ...asked, model: 'no-such' }))).toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
  })
})

test('a model that no platform can serve now is a 503 with Retry-After', async () => {
  const response = await caller.post({ ...asked, model: 'absent' })
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await readError(response)).toMatchObject({
    status: 503,
    type: 'server_error',
    code: 'model_unavailable',
  })
})

test('a key is held to its models', async () => {
  const narrow = await createCaller(world, { allowed_models: ['flat'] })
  expect(await readError(await narrow.post(asked))).toMatchObject({
    status: 403,
    type: 'permission_error',
    code: 'model_not_allowed',
  })
  expect((await narrow.get('/api/v1/models/scripted')).status).toBe(403)
  expect((await narrow.post({ ...asked, model: 'flat' })).status).toBe(200)
})

test('a key is held to its addresses, ranges too', async () => {
  const home = await createCaller(world, { allowed_addresses: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'] })
  const from = (address: string) => home.post(asked, { headers: { 'x-forwarded-for': address } })
  for (const address of ['10.1.255.3', '::ffff:10.1.0.1', '2001:db8::9', '192.0.2.7', '8.8.8.8, 10.1.0.1']) {
    expect((await from(address)).status).toBe(200)
  }
  for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', 'nonsense', '10.1.0.1, 8.8.8.8', '']) {
    expect(await readError(await from(address))).toMatchObject({ status: 403, code: 'address_not_allowed' })
  }
})

test('the web knows a client by the same address', async () => {
  const login = (address: string) =>
    fetch(`${world.url}/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        'x-forwarded-for': address,
      },
      body: JSON.stringify({ email: 'nobody@example.com', code: '000000' }),
    })
  const statuses = async (addresses: string[]) =>
    (await Promise.all(addresses.map(login))).map(({ status }) => status)
  const tries = Array.from({ length: 40 }, (_, index) =>
    index % 2 ? '203.0.113.5' : '8.8.8.8, ::ffff:203.0.113.5',
  )
  expect(await statuses(tries)).not.toContain(429)
  expect(await statuses(['203.0.113.5', '::ffff:203.0.113.5'])).toEqual([429, 429])
  expect(await statuses(['203.0.113.6'])).not.toContain(429)
})

describe('rates', () => {
  test('requests a minute: as many as allowed, then 429 with Retry-After', async () => {
    const slow = await createCaller(world, { requests_per_minute: 3 })
    const responses = await Promise.all(Array.from({ length: 8 }, () => slow.post(asked)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = responses.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await readError(refused)).toMatchObject({ type: 'rate_limit_error', code: 'rate_limited' })
    await slow.user.call('PUT /api/api_keys/{id}', {
      params: { id: slow.key_id },
      body: { requests_per_minute: 4 },
    })
    expect((await slow.post(asked)).status).toBe(200)
    expect((await slow.post(asked)).status).toBe(429)
  })

  test('tokens a minute: what was answered is missing from the next', async () => {
    const frugal = await createCaller(world, { tokens_per_minute: 100 })
    world.upstream.script('scripted', { text: '好', usage: { prompt_tokens: 5, completion_tokens: 200 } })
    expect((await frugal.post(asked)).status).toBe(200)
    expect(await readError(await frugal.post(asked))).toMatchObject({ status: 429, code: 'rate_limited' })
  })
})

test('an empty balance is a 402 that says not to try again', async () => {
  const poor = await createCaller(world)
  world.upstream.script('flat', { text: '好' })
  const flat = { ...asked, model: 'flat' }
  for (let call = 0; call < 50; call++) expect((await poor.post(flat)).status).toBe(200)
  const response = await poor.post(flat)
  expect(response.headers.get('x-should-retry')).toBe('false')
  expect(await readError(response)).toMatchObject({
    status: 402,
    type: 'insufficient_quota',
    code: 'insufficient_balance',
  })
  expect(await waitForRuns(world, poor)).toHaveLength(50)
})

test('what no platform of a model can do is refused before one is asked, with models that can', async () => {
  const tools = [{ type: 'function', function: { name: 'time' } }]
  const body = { messages: userMessages('?'), tools }
  const program = await createCaller(world, { allowed_models: ['limited', 'thinker'] })
  const before = world.upstream.requests.length
  expect(await readError(await program.post({ ...body, model: 'limited' }))).toMatchObject({
    status: 400,
    code: 'content_unsupported',
    message: expect.stringContaining('limited 不能调用工具（tools），可以换用 thinker') as string,
  })
  expect(world.upstream.requests).toHaveLength(before)
  expect((await program.post({ ...body, model: 'thinker' })).status).toBe(200)
})
