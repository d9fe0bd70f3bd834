import { describe, expect, test } from 'vitest'
import { gatewayCallList } from '#contract/gateway/calls.ts'
import { useWorld } from '../../world/use-world.ts'
import { createCaller, useCaller, userMessages } from '../caller.ts'

// Clients' requests around a call: browsers' preflights, HEAD, bases and slashes; and the headers about limits.

const world = useWorld()
const caller = useCaller(world)

const ORIGIN = 'https://somewhere.example'
const asked = { model: 'scripted', messages: userMessages('?') }
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { method, headers })

describe('a script of another origin', () => {
  test.each(['/api/v1/chat/completions', '/v1/messages', '/api/v1/models', '/v2/rerank', '/api/v1/none'])(
    'may ask, without a key, whether it may call %s',
    async (path) => {
      const response = await send('OPTIONS', path, {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-os',
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'authorization,content-type,x-stainless-os',
      )
      expect(response.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
        expect.arrayContaining(['GET', 'HEAD', 'POST']),
      )
      expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  test('reads answers and errors, and their ids and limits', async () => {
    world.upstream.script('scripted', { text: '好' })
    const answered = await caller.post(asked, { headers: { origin: ORIGIN } })
    expect(answered.status).toBe(200)
    const refused = await send('POST', '/api/v1/chat/completions', { origin: ORIGIN })
    expect(refused.status).toBe(401)
    for (const { headers } of [answered, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
      expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining([
          'x-request-id',
          'request-id',
          'retry-after',
          'x-ratelimit-remaining-requests',
          'anthropic-ratelimit-tokens-reset',
        ]),
      )
    }
  })

  test('gets no leave for the calls of the web, whose cookies say who asks', async () => {
    const response = await send('OPTIONS', '/api/chat/create', {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
    })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  })
})

describe('methods and paths', () => {
  test('HEAD is answered wherever GET is, without a body', async () => {
    const response = await send('HEAD', '/api/v1/models', { authorization: caller.authorization })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
    expect(await response.text()).toBe('')
    expect((await send('HEAD', '/v1/models/flat', { authorization: caller.authorization })).status).toBe(200)
    const posted = await send('HEAD', '/v1/chat/completions', { authorization: caller.authorization })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('a slash at the end changes nothing', async () => {
    world.upstream.script('scripted', { text: '在' })
    const { choices } = await caller.complete(asked, { path: '/v1/chat/completions/' })
    expect(choices[0].message.content).toBe('在')
    expect((await caller.get('/api/v1/models/')).status).toBe(200)
    expect((await caller.get('/api/v1/models/flat/')).status).toBe(200)
  })

  test.each(['/api/v1', '/api/v1/', '/v1', '/v1/', '/api', '/api/'])(
    '%s says where the calls are, whoever asks',
    async (path) => {
      const calls = gatewayCallList.map(({ method, url }) => `${method} ${url}`)
      const read = await send('GET', path)
      expect([read.status, await read.json()]).toEqual([200, expect.objectContaining({ calls })])
      expect((await send('HEAD', path)).status).toBe(200)
      const posted = await caller.post(asked, { path })
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect(await posted.json()).toMatchObject({
        error: { code: 'method_not_allowed', message: expect.stringContaining('/chat/completions') },
        calls,
      })
    },
  )
})

describe('what is left of a limit', () => {
  test('is told in the headers of OpenAI, also with the refusal', async () => {
    const slow = await createCaller(world, { requests_per_minute: 2, tokens_per_minute: 100_000 })
    world.upstream.script('scripted', { text: '好' })
    const first = (await slow.post(asked)).headers
    expect(first.get('x-ratelimit-limit-requests')).toBe('2')
    expect(first.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(first.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/)
    expect(first.get('x-ratelimit-limit-tokens')).toBe('100000')
    expect(Number(first.get('x-ratelimit-remaining-tokens'))).toBeLessThan(100_000)
    await slow.post(asked)
    const refused = await slow.post(asked)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  })

  test('is nothing, and not less, after a call that takes more tokens than there are', async () => {
    const narrow = await createCaller(world, { tokens_per_minute: 3 })
    world.upstream.script('scripted', { text: '好' })
    const { status, headers } = await narrow.post({ ...asked, messages: userMessages('问'.repeat(50)) })
    expect([status, headers.get('x-ratelimit-remaining-tokens')]).toEqual([200, '0'])
    expect((await narrow.post(asked)).status).toBe(429)
  })

  test('is told in the headers of Anthropic to its clients', async () => {
    const slow = await createCaller(world, { requests_per_minute: 5 })
    world.upstream.script('scripted', { text: '好' })
    const { headers } = await slow.post({ ...asked, max_tokens: 9 }, { path: '/v1/messages' })
    expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('5')
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('4')
    expect(Date.parse(headers.get('anthropic-ratelimit-requests-reset') ?? '')).toBeGreaterThan(Date.now())
    expect(headers.has('x-ratelimit-limit-requests')).toBe(false)
  })

  test('is not told where a key has no limit', async () => {
    const names = [...(await caller.get('/v1/models')).headers.keys()]
    expect(names.filter((name) => name.includes('ratelimit'))).toEqual([])
  })
})
