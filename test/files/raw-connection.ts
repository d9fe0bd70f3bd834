import { once } from 'node:events'
import { connect } from 'node:net'

/** An answer as its bytes frame it (RFC 9112 section 6). */
export type RawAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/**
 * Sends requests one after the other on one connection, as a proxy that keeps its connections does, and frames the answers by
 * their declared lengths: bytes beyond one answer begin the next. Returns the answers in order; `null` where the connection ended
 * within one, or was closed before it.
 */
export async function askOnOneConnection(
  url: string,
  requests: { method?: string; path: string; headers?: Record<string, string> }[],
): Promise<(RawAnswer | null)[]> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  let isEnded = false
  let wake = (): void => {}
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isEnded = true
    wake()
  })
  /** Takes a number of bytes, or bytes up to a mark; null where the connection ends before. */
  const take = async (find: () => number): Promise<Buffer | null> => {
    for (;;) {
      const length = find()
      if (length >= 0 && received.length >= length) {
        const bytes = received.subarray(0, length)
        received = received.subarray(length)
        return bytes
      }
      if (isEnded) return null
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const readAnswer = async (method: string): Promise<RawAnswer | null> => {
    const head = await take(() => {
      const at = received.indexOf('\r\n\r\n')
      return at < 0 ? -1 : at + 4
    })
    if (!head) return null
    const [first = '', ...lines] = head.toString().trimEnd().split('\r\n')
    const pairs = lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    })
    const headers = Object.fromEntries(pairs)
    const status = Number(first.split(' ')[1])
    if (method === 'HEAD' || status === 304 || status === 204)
      return { status, headers, body: Buffer.alloc(0) }
    if (headers['transfer-encoding'] === 'chunked') return readChunks({ status, headers })
    if (headers['content-length'] === undefined) throw new Error(`no length: ${head.toString()}`)
    const body = await take(() => Number(headers['content-length']))
    return body && { status, headers, body }
  }
  const readChunks = async (head: Omit<RawAnswer, 'body'>): Promise<RawAnswer | null> => {
    const chunks: Buffer[] = []
    for (;;) {
      const line = await takeLine()
      const chunk = line && (await take(() => parseInt(line.toString(), 16) + 2))
      if (!chunk) return null
      if (chunk.length === 2) return { ...head, body: Buffer.concat(chunks) }
      chunks.push(chunk.subarray(0, -2))
    }
  }
  const takeLine = (): Promise<Buffer | null> =>
    take(() => {
      const at = received.indexOf('\r\n')
      return at < 0 ? -1 : at + 2
    })
  const answers: (RawAnswer | null)[] = []
  for (const { method = 'GET', path, headers = {} } of requests) {
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    answers.push(await readAnswer(method))
  }
  // Bytes behind the last answer that no request asked for.
  if (received.length && answers.at(-1)) throw new Error(`${received.length} bytes belong to no answer`)
  socket.destroy()
  return answers
}
