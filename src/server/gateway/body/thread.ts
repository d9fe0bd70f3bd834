import { parentPort } from 'node:worker_threads'
import { read } from './read.ts'
import type { SchemaName } from './schemas.ts'

/** A body to read, in memory that is handed over. */
export type Handed = { name: SchemaName; bytes: ArrayBuffer }

const port = parentPort
if (!port) throw new Error('thread.ts runs in a worker thread only')

// Answered in the order in which they come.
port.on('message', ({ name, bytes }: Handed) => port.postMessage(read(name, Buffer.from(bytes))))
