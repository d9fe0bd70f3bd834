import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { sendEvents } from '#server/core/event-stream/send-events.ts'
import { useWorld } from '../../world/use-world.ts'

const world = useWorld()

afterEach(() => void vi.restoreAllMocks())

test('a stream whose events fail is cut, and leaves no timer and no watch behind', async () => {
  const begun = vi.spyOn(globalThis, 'setInterval')
  const cleared = vi.spyOn(globalThis, 'clearInterval')
  const release = vi.fn()
  const failing = async function* () {
    yield { data: '1' }
    throw new Error('the database is away')
  }
  const session = { signal: new AbortController().signal, release }
  const server = createServer((_, response) => {
    void sendEvents(response, { events: failing, session }, createLog('silent'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { body } = await fetch(`http://127.0.0.1:${port}`)
  await expect(text(body as ReadableStream)).rejects.toThrow()
  // Apps of other tests have timers of their own: the interval identifies the keep-alive's.
  const keepAlive = begun.mock.calls.findIndex(([, ms]) => ms === 15_000)
  expect(cleared).toHaveBeenCalledWith(begun.mock.results[keepAlive]?.value)
  expect(release).toHaveBeenCalledOnce()
  server.close()
})

test('who asks for the head of a stream alone leaves nothing behind', async () => {
  world.upstream.script('scripted', { text: '好' })
  const user = await world.user()
  const { chat_id } = await user.ask('问')
  const countTimers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
  const before = countTimers()
  for (let n = 0; n < 40; n++) {
    const { status } = await user.fetch(`/api/chat/completions?chat_id=${chat_id}`, { method: 'HEAD' })
    expect(status).toBe(200)
  }
  // Other timers come and go meanwhile.
  await expect.poll(countTimers).toBeLessThan(before + 20)
})

test('a stream has the head of every other answer, once, and at once', async () => {
  world.upstream.script('scripted', { text: '好', stall: 'headers' })
  const user = await world.user()
  const { session } = await user.call('POST /api/chat/session/new', { body: {} })
  const { chat_message } = await user.call('POST /api/chat/create', {
    body: { sess_id: session.id, model: 'scripted', prompt: '问' },
  })
  const path = `/api/chat/completions?chat_id=${chat_message.chat_id}`
  const stream = await user.fetch(path)
  const { headers: other } = await user.fetch('/api/chat/sessions?page=1')
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': expect.stringMatching(/./),
    'x-robots-tag': other.get('x-robots-tag'),
    'x-content-type-options': 'nosniff',
  })
  const { messages } = await user.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  expect(messages.at(-1)).toMatchObject({ status: 'typing' })
  world.upstream.release()
  const answer = await stream.text()
  expect(answer).toContain('好')
  expect(answer).toContain('data: [DONE]')
})
