import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { compilePglite, openDurablePglite } from './durable-pglite.ts'
import { initializeDirectory } from './initialize.ts'
import { serializeError } from './worker-protocol.ts'
import type { OpenRequest, RawResult, WorkerReply, WorkerRequest } from './worker-protocol.ts'

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread only')

const reportLost = (reason: string): never => {
  port.postMessage({ lost: reason } satisfies WorkerReply)
  process.exit(1)
}
const compiling = compilePglite()
const [{ directory }] = (await once(port, 'message')) as [OpenRequest]
await initializeDirectory(directory, reportLost, compiling)
const database = await openDurablePglite(directory, reportLost, compiling)
// Values stay text here; see RawResult.
database.parsers = Object.fromEntries(
  Object.keys(database.parsers).map((type) => [type, (text: string) => text]),
)

const raw = { rowMode: 'array' } as const

async function execute(request: WorkerRequest): Promise<RawResult[]> {
  if (request.op === 'query') return [(await database.query(request.text, request.params, raw)) as RawResult]
  if (request.op === 'close') {
    await database.close()
    return []
  }
  try {
    return (await database.exec(request.text, raw)) as RawResult[]
  } catch (error) {
    if (request.alone) await rollback(database)
    throw error
  }
}

/** Statements that open a transaction and fail leave it broken and open; the next caller must not find it. */
async function rollback(pglite: PGlite): Promise<void> {
  await pglite.exec('ROLLBACK')
}

async function handleRequest(request: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id: request.id, results: await execute(request) }
  } catch (error) {
    return { id: request.id, error: serializeError(error) }
  }
}

// One after the other: what a request leaves behind is cleaned up before the next one is looked at.
let queue: Promise<void> = Promise.resolve()
port.on('message', (request: WorkerRequest) => {
  queue = queue.then(async () => port.postMessage(await handleRequest(request)))
})
port.postMessage('ready')
