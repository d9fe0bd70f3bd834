import { once } from 'node:events'
import { request as open } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useWorld } from '../../world/use-world.ts'
import { readError, useCaller, userMessages } from '../caller.ts'

// Bar P8 at the gateway: beyond capacity a clear refusal, and what runs goes on.

const world = useWorld({ capacity: { max_calls: 3, max_body_bytes: 30_000_000 } })
const caller = useCaller(world)

const asked = { model: 'scripted', messages: userMessages('?') }
const createLargeBody = (chars: number) =>
  JSON.stringify({ ...asked, messages: userMessages('a'.repeat(chars)) })

/** A call whose body is sent by hand. */
function startUpload(headers: Record<string, string | number>): {
  call: ClientRequest
  answer: Promise<IncomingMessage>
} {
  const call = open(`${world.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: caller.authorization, 'content-type': 'application/json', ...headers },
  })
  return { call, answer: once(call, 'response').then(([response]) => response as IncomingMessage) }
}

test('beyond its calls a process refuses with Retry-After; the streams that run go on', async () => {
  world.upstream.script('scripted', { text: '一个字一个字地说', chars: 1, stall: 4 })
  const before = world.upstream.requests.length
  const streams = Array.from({ length: 3 }, () => caller.stream(asked))
  await expect.poll(() => world.upstream.requests.length - before).toBe(3)
  for (let refused = 0; refused < 5; refused++) {
    const response = await caller.post(asked)
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

describe('bodies', () => {
  test('beyond the room for them are refused with Retry-After; the ones that came before are answered', async () => {
    world.upstream.script('scripted', { text: '好' })
    // Two of them have no room beside each other.
    const bytes = 18_000_000
    const body = JSON.stringify({ ...asked, filler: 'a'.repeat(bytes - 200) }).padEnd(bytes)
    const { call, answer } = startUpload({ 'content-length': bytes, expect: '100-continue' })
    call.flushHeaders()
    await once(call, 'continue')
    const refused = await caller.post(body)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await readError(refused)).toMatchObject({ status: 503, code: 'overloaded' })
    expect((await caller.post(asked)).status).toBe(200)
    call.end(body)
    expect((await answer).statusCode).toBe(200)
    expect((await caller.post(body)).status).toBe(200)
  })

  test('at other endpoints are held to the same limit', async () => {
    const { call, answer } = startUpload({ 'content-length': 18_000_000, expect: '100-continue' })
    call.flushHeaders()
    await once(call, 'continue')
    const form = new FormData()
    form.set('model', 'scripted-asr')
    form.set('file', new File([Buffer.alloc(18_000_000)], '录音.wav'))
    const endpoints: [string, FormData | string][] = [
      ['/api/v1/audio/transcriptions', form],
      ['/api/v1/embeddings', createLargeBody(18_000_000)],
      ['/api/v1/responses', createLargeBody(18_000_000)],
    ]
    for (const [path, body] of endpoints) {
      const headers = { authorization: caller.authorization }
      const refused = await fetch(world.url + path, { method: 'POST', headers, body })
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await readError(refused)).toMatchObject({ status: 503, code: 'overloaded' })
    }
    const message = await caller.post(createLargeBody(18_000_000), { path: '/api/v1/messages' })
    expect(message.headers.get('retry-after')).toBe('1')
    expect(await message.json()).toMatchObject({ error: { type: 'overloaded_error' } })
    call.end(Buffer.alloc(18_000_000, ' '))
    expect((await answer).statusCode).toBe(400)
  })

  test('of unknown length are held to the same room', async () => {
    const { call, answer } = startUpload({ 'content-length': 18_000_000, expect: '100-continue' })
    call.flushHeaders()
    await once(call, 'continue')
    const piece = Buffer.alloc(1_000_000, ' ')
    const chunked = startUpload({ 'transfer-encoding': 'chunked' })
    for (let sent = 0; sent < 14; sent++) chunked.call.write(piece)
    expect((await chunked.answer).statusCode).toBe(503)
    chunked.call.destroy()
    call.end(Buffer.alloc(18_000_000, ' '))
    expect((await answer).statusCode).toBe(400)
  })

  test('of 20 MB keep nobody waiting while they are parsed', async () => {
    // Every character of it is an escape: that takes long to parse. What it says is refused then, without further ado.
    const bytes = 19_900_000
    const body = Buffer.from(`{"filler":"${'\\"'.repeat((bytes - 13) / 2)}"}`)
    const order: string[] = []
    const { call, answer } = startUpload({ 'content-length': body.length })
    call.write(body.subarray(0, -1))
    // All but its end has arrived by then.
    await sleep(1_000)
    call.end(body.subarray(-1))
    const parsed = answer.then(({ statusCode }) => order.push(`large ${statusCode}`))
    const other = caller.get('/api/v1/models').then(({ status }) => order.push(`other ${status}`))
    await Promise.all([parsed, other])
    expect(order).toEqual(['other 200', 'large 400'])
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
    const { call, answer } = startUpload({ 'content-length': 20_000_001, expect: '100-continue' })
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
