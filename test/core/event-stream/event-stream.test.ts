import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { afterEach, expect, test } from 'vitest'
import { createEventStream } from '#server/core/event-stream/event-stream.ts'
import { gatherWrites } from '#server/core/event-stream/gather-writes.ts'
import { PING } from '#server/gateway/protocols/anthropic/stream.ts'

const close: (() => void)[] = []
afterEach(() => {
  for (const one of close.splice(0)) one()
})

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  close.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await once(server, 'listening')
  return server
}

/** Opens one exchange over real HTTP: the response to write to, and what the client receives. */
async function openExchange(): Promise<{
  response: ServerResponse
  received: Promise<Response>
  leave: () => void
}> {
  const server = await listen()
  const gone = new AbortController()
  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>
  const { port } = server.address() as AddressInfo
  const received = fetch(`http://127.0.0.1:${port}`, { signal: gone.signal })
  received.catch(() => {})
  const [, response] = await asked
  return { response, received, leave: () => gone.abort() }
}

test('a stream that is silent is kept alive by comments, before its first event too', async () => {
  const { response, received } = await openExchange()
  const events = createEventStream(response, { silence_ms: 10 })
  expect(events.hasStarted()).toBe(false)
  const { body, headers } = await received
  let read = ''
  const reading = (async () => {
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) read += piece
  })()
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(events.hasStarted()).toBe(true)
  await events.write('data: 1\n\n')
  await expect.poll(() => read).toMatch(/data: 1\n\n(: \n\n)+$/)
  events.end('data: 2\n\n')
  await reading
  expect(read).toMatch(/^(: \n\n)+data: 1\n\n(: \n\n)+data: 2\n\n$/)
})

test('a protocol may have a keep-alive of its own', async () => {
  const { response, received } = await openExchange()
  const events = createEventStream(response, { keep_alive: PING, silence_ms: 10 })
  const { body } = await received
  events.end('')
  expect(await text(body as ReadableStream)).toMatch(/^(event: ping\ndata: {"type":"ping"}\n\n)+$/)
})

test('a slow client is waited for, until it leaves', async () => {
  const { response, leave, received } = await openExchange()
  const events = createEventStream(response)
  // More than all buffers on the way can take.
  const waiting = events.write(`data: ${'x'.repeat(50_000_000)}\n\n`)
  await received
  leave()
  await waiting
  expect(response.destroyed).toBe(true)
  expect(events.write('data: nobody\n\n')).toBeUndefined()
  events.end('')
})

test('nothing is sent before the first event, so that an error can still have its own status', async () => {
  const { response, received } = await openExchange()
  const events = createEventStream(response)
  events.stop()
  response.writeHead(503).end()
  expect((await received).status).toBe(503)
})

test('of two requests on one connection the second has its stream after the first, whatever is written when', async () => {
  const server = await listen()
  const responses: ServerResponse[] = []
  server.on('request', (_, response) => responses.push(response))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const received = text(socket)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
  await expect.poll(() => responses.length).toBe(2)
  const [first, second] = responses.map((response) => createEventStream(response))
  const written: string[] = []
  const write = async (events: typeof first, event: string): Promise<void> => {
    void events!.write(`data: ${event}\n\n`)
    // Waits until the gathered writes are done.
    await new Promise<void>((resolve) => gatherWrites(resolve))
    written.push(event)
  }
  for (const nth of [1, 2, 3])
    await Promise.all([write(first, `first ${nth}`), write(second, `second ${nth}`)])
  first!.end('')
  for (const nth of [4, 5]) await write(second, `second ${nth}`)
  second!.end('')
  await expect.poll(() => responses[1]!.writableFinished).toBe(true)
  server.closeAllConnections()
  const events = [...(await received).matchAll(/^data: (.*)$/gm)].map(([, event]) => event)
  expect(events).toEqual(written.toSorted())
  expect(events).toHaveLength(8)
})

test('a stream whose client had left before it began is begun by nothing', async () => {
  const { response, leave } = await openExchange()
  leave()
  await expect.poll(() => response.destroyed).toBe(true)
  const events = createEventStream(response, { silence_ms: 10 })
  // A stream that began later and has already been silent for long enough shows that this one would have spoken.
  const { response: live } = await openExchange()
  const later = createEventStream(live, { silence_ms: 10 })
  await expect.poll(() => later.hasStarted()).toBe(true)
  expect(events.hasStarted()).toBe(false)
  for (const one of [events, later]) one.stop()
})
