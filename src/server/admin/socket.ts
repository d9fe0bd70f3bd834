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
 * Runs admin verbs beside the running server, over a socket that only the owner of its process can open: one JSON array of words
 * in, one JSON answer out. Returns a function that closes it.
 */
export function openAdminSocket(dataDir: string, deps: AdminDeps, log: Log): () => Promise<void> {
  const path = getSocketPath(dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    // Discards the unread rest of a request; otherwise the end of the connection would not be noticed.
    socket.on('finish', () => socket.resume())
    void handleConnection(socket, deps, log)
  })
  server.on('error', (err) =>
    log.warn({ err, path }, 'no admin socket: npm run admin works only while the server is stopped'),
  )
  // A killed process may have left its socket behind.
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

/** Reads a request up to its longest size. Throws AdminError. */
async function readRequest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // The socket stays open, so that a request that is too long gets an answer.
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) throw new AdminError('request too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Sends a command to the running server; returns null if none runs on this directory. */
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
