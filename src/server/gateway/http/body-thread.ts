import { parentPort } from 'node:worker_threads'
import { parseBody } from './parse-body.ts'
import type { BodySchemaName } from './body-schemas.ts'

/** A body to read, in memory that is handed over. */
export type ParseTask = { name: BodySchemaName; bytes: ArrayBuffer }

const port = parentPort
if (!port) throw new Error('thread.ts runs in a worker thread only')

// Answered in the order in which they come.
port.on('message', ({ name, bytes }: ParseTask) => port.postMessage(parseBody(name, Buffer.from(bytes))))
