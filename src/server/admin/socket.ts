import { rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { AdminError, administer } from './admin.ts'

export type Answer = { ok: boolean; output: string }

const pathOf = (data_dir: string): string => join(data_dir, 'admin.sock')
const LONGEST_REQUEST = 65_536

/**
 * Answers admin verbs beside the running server, over a socket that only the owner of its process can open: one JSON
 * array of words in, one JSON answer out. Returns how to close it.
 */
export function openAdminSocket(data_dir: string, db: Db, log: Log): () => Promise<void> {
  const path = pathOf(data_dir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    void respond(socket, db, log)
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

async function respond(socket: Socket, db: Db, log: Log): Promise<void> {
  try {
    const request = await text(socket)
    if (request.length > LONGEST_REQUEST) throw new AdminError('request too long')
    const words = JSON.parse(request) as string[]
    const output = await administer(db, words)
    log.info({ verb: words[0] }, 'admin')
    socket.end(JSON.stringify({ ok: true, output } satisfies Answer))
  } catch (error) {
    if (!(error instanceof AdminError)) log.error({ err: error }, 'admin failed')
    const output = error instanceof AdminError ? error.message : 'internal error: see the server log'
    socket.end(JSON.stringify({ ok: false, output } satisfies Answer))
  }
}

/** Asks the running server; null when none runs on this directory. */
export async function askServer(data_dir: string, words: string[]): Promise<Answer | null> {
  const socket = createConnection({ path: pathOf(data_dir), allowHalfOpen: true })
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (!connected) return null
  socket.end(JSON.stringify(words))
  return JSON.parse(await text(socket)) as Answer
}
