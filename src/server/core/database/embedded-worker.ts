import type { Worker } from 'node:worker_threads'
import { deserializeError } from './query-result.ts'
import type { OpenRequest, RawResult, WorkerReply, WorkerRequest } from './worker-protocol.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
type PendingRequest = { resolve: (results: RawResult[]) => void; reject: (error: Error) => void }

export type EmbeddedWorker = {
  /** Requests are answered in the order in which they were sent. */
  send(request: WithoutId<WorkerRequest>): Promise<RawResult[]>
  terminate(): Promise<void>
}

/** Has the thread open the directory. PGlite runs in a thread so that a slow query does not block the event loop. */
export async function openInWorker(
  worker: Worker,
  directory: string,
  onLost: (error: Error) => void,
): Promise<EmbeddedWorker> {
  const pending = new Map<number, PendingRequest>()
  let requests = 0
  let closedError: Error | null = null

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (first: 'ready' | { lost: string }) => {
      if (first === 'ready') resolve()
      else reject(new Error(first.lost))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the database thread ended with ${code} while starting`)))
    // A thread that has ended before emits no more events.
    if (worker.threadId === -1) reject(new Error('the database thread ended while starting'))
    worker.postMessage({ directory } satisfies OpenRequest)
  })

  function failAll(error: Error): void {
    if (closedError) return
    closedError = error
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
    onLost(error)
  }

  worker.removeAllListeners('error')
  worker.on('error', (cause) => failAll(new Error('the embedded database broke down', { cause })))
  worker.on('exit', (code) => failAll(new Error(`the database thread ended with ${code}`)))
  worker.on('message', (reply: WorkerReply) => {
    if ('lost' in reply) return failAll(new Error(`the embedded database broke down: ${reply.lost}`))
    const call = pending.get(reply.id)
    pending.delete(reply.id)
    if ('results' in reply) call?.resolve(reply.results)
    else call?.reject(deserializeError(reply.error))
  })

  return {
    send(request) {
      return new Promise((resolve, reject) => {
        if (closedError) return reject(closedError)
        const id = ++requests
        // First, because it throws for values that cannot cross threads.
        worker.postMessage({ ...request, id })
        pending.set(id, { resolve, reject })
      })
    },
    async terminate() {
      closedError = new Error('the database is closed')
      await worker.terminate()
    },
  }
}
