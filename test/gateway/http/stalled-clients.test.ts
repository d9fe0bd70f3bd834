import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createS3Client, toObjectUrl } from '../../files/upload.ts'
import { lockRows, waitForWaiting } from '../../world/locks.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { useCaller, userMessages, waitForRuns } from '../caller.ts'

// Clients that open a call and then do nothing: the gateway and the app close their connections.

const world = useOwnWorld({
  capacity: {
    max_calls: 16,
    max_upload_stall_ms: 2_000,
    max_request_ms: 6_000,
    max_reader_stall_ms: 1_000,
  },
})
const caller = useCaller(world)

const asked = { model: 'scripted', messages: userMessages('?') }
/** Far more than the buffers on the way can take. */
const FLOOD_BYTES = 8_000_000
const spoken = { model: 'scripted-tts', input: '说' }

/** Opens a connection and sends a request by hand. */
async function sendRaw(head: string[], body = ''): Promise<Socket> {
  const { host, hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${[...head, `Host: ${host}`].join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** Expects an answer, which comes from a server that has seen all that was sent and closed before. */
async function expectSeen(): Promise<void> {
  for (let nth = 0; nth < 2; nth++) expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
}

const authorize = () => [`Authorization: Bearer ${caller.key}`, 'Content-Type: application/json']
const createHead = (path: string, text: string) => [
  `POST /api/v1${path} HTTP/1.1`,
  ...authorize(),
  `Content-Length: ${Buffer.byteLength(text)}`,
]

test.each([
  ['the gateway', '/api/v1/chat/completions'],
  ['the app', '/api/chat/create'],
  ['the app that has refused it', '/api/none'],
])('a body that stops coming is cut at %s, and frees the place of its call', async (_, path) => {
  const head = [`POST ${path} HTTP/1.1`, ...authorize(), 'X-Requested-With: test', 'Content-Length: 20000']
  // As many calls as an account, or a visitor, may have.
  const sockets = await Promise.all(Array.from({ length: 4 }, () => sendRaw(head, '{"model":')))
  await expectClosed(sockets)
  expect((await caller.get('/api/v1/models')).status).toBe(200)
})

// The embedded database has one connection, which cannot show who waits for it.
test.runIf(process.env.DATABASE_URL).each([
  ['in the middle of its body', 20_000],
  ['after its body', 9],
])(
  'a client that is cut off while its key is looked up, %s, frees the place of its call',
  async (_, length) => {
    const lookup = await lockRows(world.db(), sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
    const head = ['POST /api/v1/chat/completions HTTP/1.1', ...authorize(), `Content-Length: ${length}`]
    const sockets = await Promise.all(Array.from({ length: 4 }, () => sendRaw(head, '{"model":')))
    // Several calls with one key look it up once.
    await waitForWaiting(world.db(), 1)
    await expectSeen()
    for (const socket of sockets) socket.destroy()
    await expectSeen()
    await lookup.release()
    await expect.poll(async () => (await caller.get('/api/v1/models')).status).toBe(200)
  },
)

test('a body that comes slowly is read to its end', async () => {
  world.upstream.script('scripted', { text: '好' })
  const body = JSON.stringify({ ...asked, filler: 'a'.repeat(9_000) })
  const socket = await sendRaw(createHead('/chat/completions', body))
  // Each piece is early enough, but all of them together take too long.
  for (let at = 0; at < body.length; at += 1_000) {
    socket.write(body.slice(at, at + 1_000))
    await sleep(250)
  }
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a body that takes too long is cut, but not a slice of an upload', async () => {
  const user = await world.user()
  const content = Buffer.alloc(60_000, 'x')
  const credential = await user.call('GET /api/cos/credential', {})
  const file = { name: 'x.mp4', type: 'video/mp4', content }
  const { url } = toObjectUrl(world, credential, file)
  const signed = await createS3Client(credential).sign(url, { method: 'PUT', aws: { signQuery: true } })
  const { pathname, search } = new URL(signed.url)
  const length = `Content-Length: ${content.length}`
  // The request with the longer time limit begins first.
  const slice = await sendRaw([`PUT ${pathname}${search} HTTP/1.1`, length])
  const call = await sendRaw(['POST /api/v1/chat/completions HTTP/1.1', ...authorize(), length])
  let sent = 0
  const trickle = setInterval(() => {
    for (const socket of [slice, call]) socket.write(content.subarray(sent, sent + 1_500))
    sent += 1_500
  }, 250)
  await once(call, 'close')
  clearInterval(trickle)
  slice.write(content.subarray(sent))
  const [answer] = (await once(slice, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
  slice.destroy()
})

test('a client that stops reading a stream is let go, and its run stops', async () => {
  world.upstream.script('tts-cheap', { sound: FLOOD_BYTES })
  const text = JSON.stringify(spoken)
  const socket = await sendRaw(createHead('/audio/speech', text), text)
  socket.pause()
  const getState = async () => (await waitForRuns(world, caller)).at(-1)?.state
  await expect.poll(getState).toBe('cancelled')
  await expectClosed([socket])
})

test('clients that stop reading a whole answer are let go, and free the places of their calls', async () => {
  world.upstream.script('scripted-image', { answer: { data: [{ b64_json: 'A'.repeat(FLOOD_BYTES) }] } })
  const before = world.upstream.requests.length
  const text = JSON.stringify({ model: 'scripted-image', prompt: '一片水' })
  const head = createHead('/images/generations', text)
  const sockets = await Promise.all(Array.from({ length: 4 }, () => sendRaw(head, text)))
  for (const socket of sockets) socket.pause()
  await expect.poll(() => world.upstream.requests.length - before).toBe(4)
  await waitForPlaces(() => caller.get('/api/v1/models'))
  for (const { state } of (await waitForRuns(world, caller)).slice(-4)) expect(state).toBe('done')
  await expectClosed(sockets)
})

test('a request that comes before the answer to the one before it has been read begins nothing', async () => {
  world.upstream.script('tts-cheap', { sound: FLOOD_BYTES })
  const text = JSON.stringify(spoken)
  const head = createHead('/audio/speech', text)
  const before = world.upstream.requests.length
  const socket = await sendRaw(head, text)
  socket.pause()
  await expect.poll(() => world.upstream.requests.length - before).toBe(1)
  socket.write(`${[...head, 'Host: x'].join('\r\n')}\r\n\r\n${text}`)
  await waitForRuns(world, caller)
  await expectClosed([socket])
  expect(world.upstream.requests.length - before).toBe(1)
})

describe('readers of the chat', () => {
  /** Opens four sockets that read the beginning of an answer, and stop there. */
  const ask = async () => {
    const user = await world.user()
    const { chat_message } = await user.call('POST /api/chat/create', { body: { prompt: '说很多' } })
    const { chat_id } = chat_message
    const head = [`GET /api/chat/completions?chat_id=${chat_id} HTTP/1.1`, `Cookie: ${user.cookie}`]
    const sockets = await Promise.all(Array.from({ length: 4 }, () => sendRaw(head)))
    const stopAtFirst = async (socket: Socket): Promise<void> => {
      await once(socket, 'data')
      // Paused at once: while the others wait for theirs it would read on.
      socket.pause()
    }
    await Promise.all(sockets.map(stopAtFirst))
    return { user, chat_id, sockets }
  }

  test('beyond the streams that a visitor may have open are refused with Retry-After', async () => {
    world.upstream.script('scripted', { text: '好好好', chars: 1, stall: 1 })
    const { user, chat_id, sockets } = await ask()
    const refused = await user.fetch(`/api/chat/completions?chat_id=${chat_id}`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ code: 'too_many_calls' })
    expect((await (await world.user()).fetch('/api/user/info')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await user.fetch('/api/user/info')).status).toBe(200)
    world.upstream.release()
  })

  test('who stop reading are let go; the answer is written to its end', async () => {
    // Each of these characters is sent as six bytes.
    const flood = '\u0001'.repeat(FLOOD_BYTES / 6)
    const usage = { prompt_tokens: 9, completion_tokens: 9 }
    world.upstream.script('scripted', { text: flood, chars: 50_000, usage })
    const { user, chat_id, sockets } = await ask()
    await waitForPlaces(() => user.fetch('/api/user/info'))
    const query = { chat_id }
    const { chat_message } = await user.call('POST /api/chat/completions', { query })
    expect(chat_message).toMatchObject({ status: 'done' })
    expect(chat_message.text.length).toBe(flood.length)
    await expectClosed(sockets)
  })
})

/** Waits until all four places of an account, or of a visitor, are free. */
async function waitForPlaces(ask: () => Promise<Response>): Promise<void> {
  const askForAll = () => Promise.all([ask(), ask(), ask(), ask()])
  const getRefused = async () => (await askForAll()).filter(({ ok }) => !ok).length
  await expect.poll(getRefused, { interval: 200 }).toBe(0)
}

/** Expects that the server has closed the sockets: earlier bytes can be read, and then nothing more. */
async function expectClosed(sockets: Socket[]): Promise<void> {
  const closed = sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.resume()
  await Promise.all(closed)
}
