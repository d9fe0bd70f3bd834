import { once } from 'node:events'
import { request as open } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { useOwnWorld } from '../../world/use-world.ts'
import { createCaller, readError, useCaller, userMessages } from '../caller.ts'
import type { Caller } from '../caller.ts'

// Bar P8 at the gateway: beyond capacity there is a clear refusal, running calls go on, and nobody takes the place of another.

const MAX_BYTES = 16_000_000
// An account has a quarter of it, an address half. A small limit is soon used up.
const world = useOwnWorld({
  env: { TRUST_PROXY: '1' },
  // Unfinished bodies wait for the other calls of a test.
  capacity: { max_calls: 16, max_body_bytes: MAX_BYTES, max_upload_stall_ms: 300_000 },
})
const caller = useCaller(world)

const asked = { model: 'scripted', messages: userMessages('?') }
const from = (address: string) => ({ 'x-forwarded-for': address })
const createLargeBody = (chars: number) =>
  JSON.stringify({ ...asked, messages: userMessages('a'.repeat(chars)) })

/** Starts a call whose body is sent by hand. */
function startUpload(
  headers: Record<string, string | number>,
  { authorization }: Pick<Caller, 'authorization'> = caller,
): {
  call: ClientRequest
  answer: Promise<IncomingMessage>
} {
  const call = open(`${world.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
  })
  return { call, answer: once(call, 'response').then(([response]) => response as IncomingMessage) }
}

const waitForRequests = (count: number) => expect.poll(() => world.upstream.requests.length).toBe(count)

const UPLOAD_BYTES = 3_600_000

/** Sends a body of 3.6 MB except its end; `finish` sends that, and reads the status of the answer. */
function startLargeUpload(address: string, who: Pick<Caller, 'authorization'> = caller) {
  const { call, answer } = startUpload({ 'content-length': UPLOAD_BYTES, ...from(address) }, who)
  const body = Buffer.from(JSON.stringify(asked).padEnd(UPLOAD_BYTES))
  call.write(body.subarray(0, -1))
  return async () => {
    call.end(body.subarray(-1))
    return (await answer).statusCode
  }
}

/**
 * Waits until some large uploads have come in full but for their last bytes and are counted, so that of `bytes` only the unsent
 * ones are free: earlier free bytes could go to another call. Tries it by declaring a body that is not sent.
 */
async function waitForUploads(count: number, bytes: number, address: string): Promise<void> {
  const length = bytes - count * (UPLOAD_BYTES - 1) + 1
  const declareBody = async () => {
    const headers = { 'content-length': length, expect: '100-continue', ...from(address) }
    const { call, answer } = startUpload(headers)
    call.flushHeaders()
    const refused = answer.then(() => true)
    const isRefused = await Promise.race([refused, once(call, 'continue').then(() => false)])
    refused.catch(() => {})
    call.destroy()
    return isRefused
  }
  await expect.poll(declareBody).toBe(true)
}

describe('calls', () => {
  const openStreams = (count: number, address: string, who: Caller) =>
    Array.from({ length: count }, () => who.stream(asked, { headers: from(address) }))

  test('beyond what a process carries are refused with Retry-After; the streams that run go on', async () => {
    world.upstream.script('scripted', { text: '一个字一个字地说', chars: 1, stall: 4 })
    const before = world.upstream.requests.length
    const callers = await Promise.all(Array.from({ length: 4 }, () => createCaller(world)))
    const streams = callers.flatMap((who, nth) => openStreams(4, nth < 2 ? '192.0.2.1' : '192.0.2.2', who))
    await waitForRequests(before + 16)
    for (let refused = 0; refused < 5; refused++) {
      const response = await caller.post(asked, { headers: from('192.0.2.3') })
      expect(response.headers.get('retry-after')).toBe('1')
      expect(await readError(response)).toMatchObject({
        status: 503,
        code: 'overloaded',
        type: 'server_error',
      })
    }
    world.upstream.release()
    for (const { text, done, error } of await Promise.all(streams)) {
      expect({ text, done, error }).toEqual({ text: '一个字一个字地说', done: true, error: null })
    }
    expect((await caller.get('/api/v1/models')).status).toBe(200)
  })

  test('of one account or one address leave room for those of others', async () => {
    world.upstream.script('scripted', { text: '一个字一个字地说', chars: 1, stall: 4 })
    const before = world.upstream.requests.length
    const [other, third] = [await createCaller(world), await createCaller(world)]
    const getRefusal = async (who: Caller, address: string) => {
      const response = await who.post(asked, { headers: from(address) })
      expect(response.headers.get('retry-after')).toBe('1')
      return readError(response)
    }
    const refusal = { status: 429, code: 'too_many_calls', type: 'rate_limit_error' }
    const streams = openStreams(4, '192.0.2.1', caller)
    await waitForRequests(before + 4)
    const secondKey = await createCaller(world, {}, caller.user)
    expect(await getRefusal(secondKey, '192.0.2.2')).toMatchObject(refusal)
    streams.push(...openStreams(4, '192.0.2.1', other))
    await waitForRequests(before + 8)
    expect(await getRefusal(third, '192.0.2.1')).toMatchObject(refusal)
    streams.push(...openStreams(1, '192.0.2.2', third))
    await waitForRequests(before + 9)
    world.upstream.release()
    for (const { done } of await Promise.all(streams)) expect(done).toBe(true)
  })
})

describe('bodies', () => {
  test('beyond the room for them are refused with Retry-After; the ones that came before are answered', async () => {
    world.upstream.script('scripted', { text: '好' })
    const callers = await Promise.all(Array.from({ length: 4 }, () => createCaller(world)))
    const uploads = callers.map((who, nth) => startLargeUpload(nth < 2 ? '192.0.2.1' : '192.0.2.2', who))
    await waitForUploads(uploads.length, MAX_BYTES, '192.0.2.3')
    const body = JSON.stringify(asked).padEnd(UPLOAD_BYTES)
    const refused = await caller.post(body, { headers: from('192.0.2.3') })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await readError(refused)).toMatchObject({ status: 503, code: 'overloaded' })
    expect((await caller.post(asked)).status).toBe(200)
    for (const finish of uploads) expect(await finish()).toBe(200)
    expect((await caller.post(body)).status).toBe(200)
  })

  test('of one account leave room for those of others, at every endpoint', async () => {
    const finish = startLargeUpload('192.0.2.1')
    await waitForUploads(1, MAX_BYTES / 4, '192.0.2.1')
    const other = await createCaller(world)
    const body = createLargeBody(UPLOAD_BYTES)
    const refusal = { status: 429, code: 'too_many_calls' }
    const messages = await caller.post(body, { path: '/api/v1/responses' })
    expect(await readError(messages)).toMatchObject(refusal)
    const form = new FormData()
    form.set('model', 'scripted-asr')
    form.set('file', new File([Buffer.alloc(UPLOAD_BYTES)], '录音.wav'))
    const endpoints: [string, FormData | string][] = [
      ['/api/v1/audio/transcriptions', form],
      ['/api/v1/embeddings', body],
      ['/api/v1/chat/completions', body],
    ]
    for (const [path, sent] of endpoints) {
      const headers = { authorization: caller.authorization }
      const refused = await fetch(world.url + path, { method: 'POST', headers, body: sent })
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await readError(refused)).toMatchObject(refusal)
    }
    const message = await caller.post(body, { path: '/api/v1/messages' })
    expect(message.headers.get('retry-after')).toBe('1')
    expect(await message.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
    expect((await other.post(JSON.stringify(asked).padEnd(UPLOAD_BYTES))).status).toBe(200)
    expect(await finish()).toBe(200)
  })

  test('of unknown length are held to the same room', async () => {
    const finish = startLargeUpload('192.0.2.1')
    await waitForUploads(1, MAX_BYTES / 4, '192.0.2.1')
    const piece = Buffer.alloc(200_000, ' ')
    const chunked = startUpload({ 'transfer-encoding': 'chunked' })
    for (let sent = 0; sent < 14; sent++) chunked.call.write(piece)
    expect((await chunked.answer).statusCode).toBe(429)
    chunked.call.destroy()
    expect(await finish()).toBe(200)
  })

  test('that are declared and do not come take nobody’s room', async () => {
    const sockets = Array.from({ length: 3 }, () => startUpload({ 'content-length': 4_000_000 }))
    for (const { call } of sockets) call.flushHeaders()
    await expect.poll(async () => (await caller.get('/api/v1/models')).status).toBe(200)
    expect((await caller.post(JSON.stringify(asked).padEnd(UPLOAD_BYTES))).status).toBe(200)
    for (const { call, answer } of sockets) {
      answer.catch(() => {})
      call.destroy()
    }
  })

  test('arrive whole from the thread that parses them', async () => {
    world.upstream.script('scripted', { text: '看见了' })
    const text = `${'问渠那得清如许？\\"\u0000😀'.repeat(20_000)}。`
    const response = await caller.post({ ...asked, messages: userMessages(text) })
    expect(response.status).toBe(200)
    expect(world.upstream.requests.at(-1)!.body).toMatchObject({
      messages: [{ role: 'user', content: text }],
    })
  })

  test.each([
    ['cut off', createLargeBody(300_000).slice(0, -2), 400],
    ['no UTF-8', Buffer.concat([Buffer.from(createLargeBody(300_000)), Buffer.from([0xff])]), 400],
    ['of too many values', `{"model":"scripted","messages":[${'[],'.repeat(250_000)}[]]}`, 413],
    ['nested too deep', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    [
      'of messages that are all wrong',
      JSON.stringify({ ...asked, messages: Array.from({ length: 9_000 }, () => ({ tool_calls: [{}, {}] })) }),
      400,
    ],
    ['nested too deep, in a field that nobody reads', `{"a":${'['.repeat(400)}${']'.repeat(400)}}`, 400],
  ])('%s are refused', async (_, body, status) => {
    const response = await fetch(`${world.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: caller.authorization, 'Idempotency-Key': 'nonsense' },
      body,
    })
    expect((await readError(response)).status).toBe(status)
  })

  test('too large by their own word are refused before they come', async () => {
    const { call, answer } = startUpload({ 'content-length': 32_000_001, expect: '100-continue' })
    let continued = false
    call.on('continue', () => (continued = true))
    call.flushHeaders()
    expect((await answer).statusCode).toBe(413)
    expect(continued).toBe(false)
    call.destroy()
  })

  test.each(['/api/v1/chat/completions', '/api/chat/create'])(
    'of a client that sends Expect are requested at %s',
    async (path) => {
      const call = open(world.url + path, {
        method: 'POST',
        headers: { authorization: caller.authorization, 'content-length': 2, expect: '100-continue' },
      })
      call.flushHeaders()
      await once(call, 'continue')
      call.end('{}')
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBeLessThan(500)
      response.resume()
    },
  )
})
