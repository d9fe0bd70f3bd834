import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { compilePglite, openDurablePglite } from './durable-pglite.ts'
import { initializeDirectory } from './initialize.ts'
import { createPreparedStatements } from './prepared-statements.ts'
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

const statements = createPreparedStatements(database)

async function execute(request: WorkerRequest): Promise<RawResult[]> {
  if (request.op === 'close') {
    await database.close()
    return []
  }
  if (request.begins) await statements.exec('BEGIN')
  if (request.op === 'query') return [await statements.query(request.text, request.params)]
  try {
    return await statements.exec(request.text)
  } catch (error) {
    // Statements that open a transaction and fail leave it broken and open; the next caller must not find it.
    if (request.alone) await statements.exec('ROLLBACK')
    throw error
  }
}

async function handleRequest(request: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id: request.id, results: await execute(request) }
  } catch (error) {
    return { id: request.id, error: serializeError(error) }
  }
}

// One after the other: each request is cleaned up before the next one begins.
let queue: Promise<void> = Promise.resolve()
port.on('message', (request: WorkerRequest) => {
  queue = queue.then(async () => port.postMessage(await handleRequest(request)))
})
port.postMessage('ready')
