import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '#server/llm/transport/http.ts'

const TIMEOUTS = { connect_ms: 5_000, first_byte_ms: 20_000, idle_ms: 20_000, total_ms: 60_000 }
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** The response to each request of a connection, in pieces; the client reads each piece by itself. */
let pieces: string[][] = []
async function answer(socket: Socket): Promise<void> {
  for (const piece of pieces.shift() ?? []) {
    socket.write(piece)
    await sleep(1)
  }
}
const server = createServer((socket) => {
  socket.setNoDelay().on('data', (bytes) => {
    if (bytes.includes('\r\n\r\n')) void answer(socket)
  })
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

/** Returns the body of a response; its reader is slow after the parts that `waits` says. */
async function read(waits: boolean[]): Promise<string> {
  const parts: Buffer[] = []
  let isReading = false
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const options = { headers: {}, body: '{}', timeouts: TIMEOUTS, signal: new AbortController().signal }
  await post(url, options, () => ({
    done: false,
    onData(bytes) {
      expect(isReading).toBe(false)
      parts.push(bytes)
      if (!waits[parts.length - 1]) return
      isReading = true
      return sleep(15).then(() => void (isReading = false))
    },
  }))
  expect(isReading).toBe(false)
  return Buffer.concat(parts).toString('latin1')
}

/** Also data that look like chunks, and sizes in unusual forms. */
const toHex = (length: number): string => length.toString(16)
const chunk = fc.record({
  data: fc.constantFrom(
    'a',
    'hello',
    '5\r\nhello\r\n',
    '\r\n',
    '0\r\n\r\n',
    '1\r\na\r\n0\r\n\r\n',
    'x'.repeat(300),
  ),
  toSize: fc.constantFrom<(length: number) => string>(
    toHex,
    (length) => length.toString(16).toUpperCase(),
    (length) => length.toString(16).padStart(5, '0'),
    (length) => `${length.toString(16)};name=value`,
  ),
})
const response = fc.record({
  chunks: fc.array(chunk, { maxLength: 8 }),
  /** Chunks that do not come as one piece each: other cuts, cuts after these lines, and pieces joined with the one before. */
  cuts: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(), { maxLength: 6 })),
  lines: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(), { maxLength: 6 })),
  joined: fc.oneof(fc.constant<boolean[]>([]), fc.array(fc.boolean(), { maxLength: 8 })),
  waits: fc.oneof(fc.constant<boolean[]>([]), fc.array(fc.boolean(), { maxLength: 8 })),
})
type Response = typeof response extends fc.Arbitrary<infer T> ? T : never

function toPieces({ chunks, cuts, lines, joined }: Response): string[] {
  const framed = chunks.map(({ data, toSize }) => `${toSize(data.length)}\r\n${data}\r\n`)
  const text = [HEAD, ...framed, '0\r\n\r\n'].join('')
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)
  let at = 0
  const bounds = [HEAD, ...framed].map((part) => (at += part.length)).filter((_, nth) => !joined[nth])
  const others = [...cuts.map((cut) => cut % text.length), ...lines.map((line) => ends[line % ends.length]!)]
  const starts = [...new Set([0, ...bounds, ...others])].sort((a, b) => a - b)
  return starts.map((start, nth) => text.slice(start, starts[nth + 1])).filter((piece) => piece !== '')
}

/** One chunk, cut so that its data look like chunks. */
const DECEPTIVE: Response = {
  chunks: [{ data: '1\r\na\r\n1\r\nb\r\n', toSize: toHex }],
  cuts: [],
  lines: [3, 5, 7],
  joined: [],
  waits: [],
}
/** Chunks that come one at a time; the last is still being received when the end comes. */
const SLOW: Response = {
  chunks: ['a', 'hello'].map((data) => ({ data, toSize: toHex })),
  cuts: [],
  lines: [],
  joined: [],
  waits: [false, true],
}

test('chunks are read the same however they are written and cut, and however slow their reader is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(response, { minLength: 1, maxLength: 3 }), async (responses) => {
      pieces = responses.map(toPieces)
      for (const { chunks, waits } of responses)
        expect(await read(waits)).toBe(chunks.map(({ data }) => data).join(''))
    }),
    { numRuns: 60, examples: [[[DECEPTIVE]], [[SLOW]]] },
  )
})
