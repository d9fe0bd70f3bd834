import { Worker } from 'node:worker_threads'
import { AppError } from '../../core/app-error.ts'
import { read } from './read.ts'
import type { Read } from './read.ts'
import type { Body, SchemaName } from './schemas.ts'
import type { Handed } from './thread.ts'

/** Bytes that are read where they are: sooner done than handed over, whatever they say. */
const SMALL = 64_000
/** Of the thread. A body of the largest size takes some tens of it. */
const HEAP_MB = 256

type Thread = { read(handed: Handed): Promise<unknown>; end(): Promise<number> }

/**
 * Reads bodies through their schemas, large ones in a thread of their own, so that everybody else is served meanwhile. The
 * thread is started for the first large body, and again should it break down. Throws AppError overloaded for what it then
 * had in hand.
 */
export function openReader() {
  let thread: Thread | null = null
  const lost = (): void => {
    thread = null
  }
  return {
    async read<Name extends SchemaName>(name: Name, bytes: Buffer<ArrayBuffer>): Promise<Read<Body<Name>>> {
      if (bytes.length <= SMALL) return read(name, bytes)
      thread ??= startThread(lost)
      return (await thread.read({ name, bytes: ownBuffer(bytes) })) as Read<Body<Name>>
    },
    async close(): Promise<void> {
      await thread?.end()
    },
  }
}

function startThread(onLost: () => void): Thread {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  // What waits for it is a request, and its connection keeps the process.
  worker.unref()
  const waiting: PromiseWithResolvers<unknown>[] = []
  worker.on('message', (answer: unknown) => waiting.shift()?.resolve(answer))
  let gone = false
  // An error is followed by the exit: by then another thread may have taken its place.
  const lose = (cause?: unknown): void => {
    if (gone) return
    gone = true
    onLost()
    for (const { reject } of waiting.splice(0)) reject(new AppError('overloaded', { retry_after: 1, cause }))
  }
  worker.on('error', lose)
  worker.on('exit', () => lose())
  return {
    read(handed) {
      const answer = Promise.withResolvers<unknown>()
      waiting.push(answer)
      worker.postMessage(handed, [handed.bytes])
      return answer.promise
    },
    end: () => worker.terminate(),
  }
}

/** Memory that can be handed over: a Buffer may be a part of a larger one. */
function ownBuffer({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  return isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
}
