import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { useWorld } from '../world/use-world.ts'

// A body that is refused before it is read must not break the connection: the client may still be sending it.

const world = useWorld()

/** A connection for handwritten requests, and the statuses that have come back on it. */
async function openConnection(): Promise<{ socket: Socket; getStatuses: () => string[] }> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  return {
    socket,
    getStatuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status),
  }
}

const HEAD = ['Host: x', 'X-Requested-With: test', 'Content-Type: application/json']
const CHUNK = 'x'.repeat(100_000)
/** Longer than an HTTP library may wait for the rest of a body. */
const PAUSE_MS = 700

test.each([
  [
    'of somebody unknown',
    'PUT /api/user/model',
    [`Content-Length: ${CHUNK.length * 4}`],
    [CHUNK, CHUNK],
    [CHUNK, CHUNK],
    '401',
  ],
  [
    'that says it is too large',
    'POST /auth/vcode',
    ['Content-Length: 2100000'],
    [CHUNK],
    Array<string>(20).fill(CHUNK),
    '413',
  ],
  [
    'that turns out to be too large',
    'POST /auth/vcode',
    ['Transfer-Encoding: chunked'],
    Array<string>(25).fill(`186a0\r\n${CHUNK}\r\n`),
    [`186a0\r\n${CHUNK}\r\n`, '0\r\n\r\n'],
    '413',
  ],
])(
  'a body %s is refused, and the next request is answered on its connection',
  async (_, line, headers, first, rest, status) => {
    const { socket, getStatuses } = await openConnection()
    socket.write(`${[`${line} HTTP/1.1`, ...HEAD, ...headers].join('\r\n')}\r\n\r\n${first.join('')}`)
    await expect.poll(getStatuses).toEqual([status])
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    socket.write(rest.join(''))
    socket.write(`${['GET /healthz HTTP/1.1', 'Host: x'].join('\r\n')}\r\n\r\n`)
    await expect.poll(getStatuses).toEqual([status, '200'])
    socket.destroy()
  },
)
