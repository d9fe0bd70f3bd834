import { Worker } from 'node:worker_threads'
import { unpackError } from './messages.ts'
import type { RawResult, Reply, Request } from './messages.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never
type Waiting = { resolve: (results: RawResult[]) => void; reject: (error: Error) => void }

export type EmbeddedWorker = {
  /** Requests are answered in the order in which they were sent. */
  send(request: Unnumbered<Request>): Promise<RawResult[]>
  end(): Promise<void>
}

/** Starts the thread that PGlite runs in, so that a slow query doesn't stop the event loop. */
export async function startWorker(
  directory: string,
  onLost: (error: Error) => void,
): Promise<EmbeddedWorker> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { directory } })
  const waiting = new Map<number, Waiting>()
  let requests = 0
  let gone: Error | null = null

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (first: 'ready' | { lost: string }) => {
      if (first === 'ready') resolve()
      else reject(new Error(first.lost))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the database thread ended with ${code} while starting`)))
  })

  function lose(error: Error): void {
    if (gone) return
    gone = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    onLost(error)
  }

  worker.removeAllListeners('error')
  worker.on('error', (cause) => lose(new Error('the embedded database broke down', { cause })))
  worker.on('exit', (code) => lose(new Error(`the database thread ended with ${code}`)))
  worker.on('message', (reply: Reply) => {
    if ('lost' in reply) return lose(new Error(`the embedded database broke down: ${reply.lost}`))
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('results' in reply) call?.resolve(reply.results)
    else call?.reject(unpackError(reply.error))
  })

  return {
    send(request) {
      return new Promise((resolve, reject) => {
        if (gone) return reject(gone)
        const id = ++requests
        // First, because it throws for what can't cross threads.
        worker.postMessage({ ...request, id })
        waiting.set(id, { resolve, reject })
      })
    },
    async end() {
      gone = new Error('the database is closed')
      await worker.terminate()
    },
  }
}
