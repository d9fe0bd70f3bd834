import { parentPort } from 'node:worker_threads'
import { parseBody } from './parse-body.ts'
import type { ParseTask } from './parse-body.ts'

const port = parentPort
if (!port) throw new Error('body-thread.ts runs in a worker thread only')

// Results are posted in the order in which tasks arrive.
port.on('message', ({ name, bytes }: ParseTask) => port.postMessage(parseBody(name, Buffer.from(bytes))))
