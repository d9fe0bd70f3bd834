import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { post } from '#server/llm/transport/http.ts'

const PEM = readFileSync(new URL('localhost.pem', import.meta.url), 'utf8')
const CERTIFICATE = { key: PEM, cert: PEM }
const TIMEOUTS = { connect_ms: 5_000, first_byte_ms: 20_000, idle_ms: 20_000, total_ms: 60_000 }
/** More than one read of a socket returns. */
const BODY_BYTES = 200_000

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, PEM.slice(PEM.indexOf('-----BEGIN CERT'))]))
afterAll(() => setDefaultCACertificates(trusted))

/** Creates bytes that no other name has: at each place a number after another key. */
function createBody(name: string): Buffer {
  const key = createHash('sha256').update(name).digest().readUInt32LE()
  return Buffer.from(
    Uint32Array.from({ length: BODY_BYTES / 4 }, (_, nth) => key + nth * 2_654_435_761).buffer,
  )
}

/** Answers with the body of the path's name, in pieces of any length. Over HTTP/1.1 some bodies end with the connection. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  if (request.httpVersionMajor === 1 && Math.random() < 0.3) {
    response.setHeader('connection', 'close')
    response.removeHeader('transfer-encoding')
  }
  const body = createBody(request.url ?? '')
  response.writeHead(200, { 'x-version': request.httpVersion })
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + Math.floor(Math.random() ** 4 * 100_000))
    response.write(piece)
    at += piece.length
    await sleep(Math.random() * 4)
  }
  response.end()
}
const listener = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response)

const SERVERS: [name: string, protocol: string, version: string, create: () => Server][] = [
  ['HTTP/1.1', 'http', '1.1', () => createServer(listener)],
  ['HTTP/1.1 over TLS', 'https', '1.1', () => createTlsServer(CERTIFICATE, listener)],
  ['HTTP/2', 'https', '2.0', () => createSecureServer(CERTIFICATE, listener as never)],
]

test.each(SERVERS)(
  'who reads one of many answers over %s gets its bytes and no others',
  async (_, protocol, version, create) => {
    const server = create().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo

    /** Keeps the buffers as they are until the end, so that a later write to them is noticed. */
    const read = async (name: string): Promise<{ body: Buffer; version: unknown }> => {
      const given: Buffer[] = []
      let seen: unknown
      const options = { headers: {}, body: '{}', timeouts: TIMEOUTS, signal: new AbortController().signal }
      await post(`${protocol}://localhost:${port}${name}`, options, ({ headers }) => {
        seen = headers['x-version']
        return {
          done: false,
          onData(bytes) {
            given.push(bytes)
            if (Math.random() < 0.3) return sleep(Math.random() * 10)
          },
        }
      })
      return { body: Buffer.concat(given), version: seen }
    }

    const names = Array.from({ length: 16 }, (_, nth) => `/${protocol}/${nth}`)
    const received = await Promise.all(names.map(read))
    for (const [nth, { body, version: used }] of received.entries()) {
      expect(used).toBe(version)
      expect(body.equals(createBody(names[nth]!))).toBe(true)
    }
  },
  60_000,
)

test('a call that is given up while it connects is never sent', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const send = (path: string, { signal }: AbortController) =>
    post(`http://127.0.0.1:${port}${path}`, { headers: {}, body: '{}', timeouts: TIMEOUTS, signal }, () => ({
      done: false,
      onData() {},
    }))
  const person = new AbortController()
  const left = send('/left', person)
  person.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  // The next request waits for the connection of the first, or makes one of its own later.
  await send('/stays', new AbortController())
  expect(asked).toEqual(['/stays'])
})
