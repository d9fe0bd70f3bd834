import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { IncomingMessage } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '#server/core/app-error.ts'
import { ByteSource } from '#server/llm/byte-source.ts'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import { post } from '#server/llm/transport/http.ts'
import { StreamedBody } from '#server/llm/transport/streamed-body.ts'
import { toMd5 } from '../../files/upload.ts'
import { startUpstream } from '../../world/upstream/upstream.ts'
import type { Upstream } from '../../world/upstream/upstream.ts'
import { callProvider, createTarget, getErrorCode } from '../provider-call.ts'
import { PROVIDER_CASES } from '../provider-cases.ts'

const PEM = readFileSync(new URL('../transport/localhost.pem', import.meta.url), 'utf8')
const trusted = getCACertificates('default')
let upstream: Upstream

beforeAll(async () => {
  setDefaultCACertificates([...trusted, PEM.slice(PEM.indexOf('-----BEGIN CERT'))])
  upstream = await startUpstream()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await upstream.close()
})

/** Creates a stored file of these pieces, and a list of its open streams. */
function createSource(pieces: Buffer[], size = Buffer.concat(pieces).length) {
  const opened: Readable[] = []
  const open = (): Readable => {
    // A stream of bytes, not of objects, so that few pieces wait to be taken.
    const stream = Readable.from(pieces, { objectMode: false })
    opened.push(stream)
    return stream
  }
  return { source: new ByteSource({ size, open }), opened }
}

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )

const createRequest = (...sources: ByteSource[]): ChatRequest => ({
  messages: [
    { role: 'system', content: '看图说话' },
    {
      role: 'user',
      content: [
        ...sources.map((data) => ({ type: 'image' as const, media_type: 'image/png', data })),
        { type: 'text', text: '画的是“什么”？' },
      ],
    },
  ],
  max_tokens: 100,
})

/** Starts a server that takes connections and reads nothing. */
async function startDeafServer(): Promise<{ url: string; connected: Promise<unknown> }> {
  const server = createTcpServer((socket) => void socket.pause().on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connected: once(server, 'connection'),
  }
}

describe.each(Object.entries(PROVIDER_CASES))('%s', (dialect, { stream }) => {
  const call = (
    request: ChatRequest,
    target = createTarget(upstream.url, { model: dialect }, { first_byte_ms: 20_000 }),
    signal = new AbortController().signal,
  ) => callProvider(target, request, signal, stream)

  test('pictures that are read while they are sent arrive as they are, and are read again when they are sent again', async () => {
    const files = [1, 2, 3, 49_152, 300_001].map((size) => randomBytes(size))
    const sources = files.map((file, nth) => createSource(cut(file, [1, 1, 2, 10_001, 65_536][nth]!)))
    const request = createRequest(...sources.map(({ source }) => source))
    upstream.script(dialect, { status: 500 }, { text: '一朵花' })
    expect(getErrorCode((await call(request)).error)).toBe('upstream_failed')
    expect(await call(request)).toMatchObject({ text: '一朵花', error: null })
    for (const { pictures, headers, body } of upstream.requests.slice(-2)) {
      expect(pictures).toEqual(
        files.map((file) => ({ media_type: 'image/png', size: file.length, md5: toMd5(file) })),
      )
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(JSON.stringify(body)))
      expect(JSON.stringify(body)).toContain('画的是“什么”？')
    }
    for (const { opened } of sources) {
      expect(opened).toHaveLength(2)
      expect(opened.every(({ destroyed }) => destroyed)).toBe(true)
    }
  })

  test('a platform that takes no more of them is given up after its time, and one that was stopped at once', async () => {
    const { url, connected } = await startDeafServer()
    const { source, opened } = createSource(cut(randomBytes(20_000_000), 65_536))
    const impatient = createTarget(url, {}, { first_byte_ms: 200 })
    expect(getErrorCode((await call(createRequest(source), impatient)).error)).toBe('upstream_timeout')
    const abort = new AbortController()
    const stopped = call(createRequest(source), createTarget(url), abort.signal)
    await connected
    await expect.poll(() => opened.length).toBe(2)
    abort.abort('stopped')
    expect((await stopped).error).toBe('stopped')
    await expect.poll(() => opened.every(({ destroyed }) => destroyed)).toBe(true)
  })

  test('a platform that refuses them before it has them is heard, and no more is read', async () => {
    const server = createServer((_, response) => response.writeHead(413).end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { source, opened } = createSource(cut(randomBytes(20_000_000), 65_536))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { error } = await call(createRequest(source), createTarget(url))
    expect(getErrorCode(error)).toBe('request_rejected')
    await expect.poll(() => opened.every(({ destroyed }) => destroyed)).toBe(true)
  })

  test('what cannot be read as it was recorded is said to be so, and not to be the fault of the platform', async () => {
    const bytes = randomBytes(200_000)
    const broken = new ByteSource({
      size: bytes.length,
      open: () =>
        Readable.from(
          (function* () {
            yield bytes.subarray(0, 100_000)
            throw new Error('the disk is gone')
          })(),
        ),
    })
    const gone = new ByteSource({ size: 5, open: () => Promise.reject(new AppError('not_found')) })
    const shorter = createSource(cut(bytes, 65_536), bytes.length + 1).source
    const longer = createSource(cut(bytes, 65_536), bytes.length - 1).source
    const asked = upstream.requests.length
    for (const source of [broken, gone, shorter, longer]) {
      const { error, parts } = await call(createRequest(source))
      expect(error).toMatchObject({ code: 'file_failed' })
      expect(error).toBeInstanceOf(AppError)
      expect(parts).toEqual([])
    }
    expect(upstream.requests).toHaveLength(asked)
  })
})

const listener = (request: IncomingMessage, response: NodeJS.WritableStream): void =>
  void buffer(request).then((sent) => response.end(toMd5(sent)))
test.each<[string, string, () => Server]>([
  ['HTTP/1.1', 'http', () => createServer(listener)],
  ['HTTP/2', 'https', () => createSecureServer({ key: PEM, cert: PEM }, listener as never)],
])('bodies that are read while they are sent are whole over %s', async (_, protocol, create) => {
  const server = create().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `${protocol}://localhost:${(server.address() as AddressInfo).port}/`
  const timeouts = { connect_ms: 5_000, first_byte_ms: 20_000, idle_ms: 20_000, total_ms: 60_000 }
  const send = async (bytes: Buffer): Promise<string> => {
    const { source } = createSource(cut(bytes, 65_536))
    const body = new StreamedBody([bytes.subarray(0, 10), { source, encoding: 'base64' }, bytes])
    let answer = ''
    await post(url, { headers: {}, body, timeouts, signal: new AbortController().signal }, () => ({
      done: false,
      onData: (piece) => void (answer += piece.toString()),
    }))
    return answer
  }
  const bodies = Array.from({ length: 8 }, () => randomBytes(700_000))
  expect(await Promise.all(bodies.map(send))).toEqual(
    bodies.map((bytes) =>
      toMd5(Buffer.concat([bytes.subarray(0, 10), Buffer.from(bytes.toString('base64')), bytes])),
    ),
  )
})
