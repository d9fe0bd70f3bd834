import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Log } from './log.ts'

/** A file that is sent while it is read. */
export class FileStream {
  readonly bytes: Readable
  readonly headers: Record<string, string>
  constructor(bytes: Readable, headers: Record<string, string>) {
    this.bytes = bytes
    this.headers = headers
  }
}

/**
 * Sends bytes as fast as their reader takes them, bypassing Hono, which appends a text to a body that fails. An error closes the
 * connection: once a length was sent, nothing else can report it. Never throws.
 */
export async function sendBytes(response: ServerResponse, bytes: Readable, log: Log): Promise<void> {
  try {
    await pipeline(bytes, response)
  } catch (err) {
    response.destroy()
    // The reader left.
    if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.error({ err }, 'a file could not be sent to its end')
  }
}
