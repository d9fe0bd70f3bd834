import { rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Log } from '#server/core/log.ts'
import { executeAdminCommand } from './admin.ts'
import type { AdminDeps } from './admin.ts'
import { AdminError } from './admin-error.ts'

export type AdminResponse = { ok: boolean; output: string }

const getSocketPath = (dataDir: string): string => join(dataDir, 'admin.sock')
const MAX_REQUEST_BYTES = 65_536

/**
 * Answers admin verbs beside the running server, over a socket that only the owner of its process can open: one JSON
 * array of words in, one JSON answer out. Returns how to close it.
 */
export function openAdminSocket(dataDir: string, deps: AdminDeps, log: Log): () => Promise<void> {
  const path = getSocketPath(dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    // What of a request was not read is thrown away: before, the end of its connection would not be seen.
    socket.on('finish', () => socket.resume())
    void handleConnection(socket, deps, log)
  })
  server.on('error', (err) =>
    log.warn({ err, path }, 'no admin socket: npm run admin works only while the server is stopped'),
  )
  // What an earlier process left behind when it was killed.
  rmSync(path, { force: true })
  const mask = process.umask(0o177)
  server.listen(path)
  process.umask(mask)
  return () => new Promise((resolve) => server.close(() => resolve()))
}

async function handleConnection(socket: Socket, deps: AdminDeps, log: Log): Promise<void> {
  try {
    const words = JSON.parse(await readRequest(socket)) as string[]
    const output = await executeAdminCommand(deps, words)
    log.info({ verb: words[0] }, 'admin')
    socket.end(JSON.stringify({ ok: true, output } satisfies AdminResponse))
  } catch (error) {
    if (!(error instanceof AdminError)) log.error({ err: error }, 'admin failed')
    const output = error instanceof AdminError ? error.message : 'internal error: see the server log'
    socket.end(JSON.stringify({ ok: false, output } satisfies AdminResponse))
  }
}

/** Reads no further than a request may be long. Throws AdminError. */
async function readRequest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // Left open for the answer when it is too long.
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) throw new AdminError('request too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Asks the running server; null when none runs on this directory. */
export async function sendAdminCommand(dataDir: string, words: string[]): Promise<AdminResponse | null> {
  const socket = createConnection({ path: getSocketPath(dataDir), allowHalfOpen: true })
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (!connected) return null
  socket.end(JSON.stringify(words))
  return JSON.parse(await text(socket)) as AdminResponse
}
