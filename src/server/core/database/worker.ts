import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { openDurable } from './durable-pglite.ts'
import { initialise } from './first-init.ts'
import { packError } from './messages.ts'
import type { RawResult, Reply, Request } from './messages.ts'

const { directory } = workerData as { directory: string }
const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread only')

const giveUp = (reason: string): never => {
  port.postMessage({ lost: reason } satisfies Reply)
  process.exit(1)
}
await initialise(directory, giveUp)
const database = await openDurable(directory, giveUp)
// Values stay text here; see RawResult.
database.parsers = Object.fromEntries(
  Object.keys(database.parsers).map((type) => [type, (text: string) => text]),
)

const raw = { rowMode: 'array' } as const

async function run(request: Request): Promise<RawResult[]> {
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

async function answer(request: Request): Promise<Reply> {
  try {
    return { id: request.id, results: await run(request) }
  } catch (error) {
    return { id: request.id, error: packError(error) }
  }
}

// One after the other: what a request leaves behind is cleaned up before the next one is looked at.
let last: Promise<void> = Promise.resolve()
port.on('message', (request: Request) => {
  last = last.then(async () => port.postMessage(await answer(request)))
})
port.postMessage('ready')
