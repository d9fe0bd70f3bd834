import { Worker } from 'node:worker_threads'
import { AppError } from '#server/core/app-error.ts'
import { parseBody } from './parse-body.ts'
import type { ParseResult } from './parse-body.ts'
import type { Body, BodySchemaName } from './body-schemas.ts'
import type { ParseTask } from './body-thread.ts'

/** Bytes that are read where they are: sooner done than handed over, whatever they say. */
const MAX_INLINE_BYTES = 64_000
/** Of the thread. A body of the largest size takes some tens of it. */
const THREAD_HEAP_MB = 256

type ParserThread = { parse(handed: ParseTask): Promise<unknown>; terminate(): Promise<number> }

/**
 * Reads bodies through their schemas, large ones in a thread of their own, so that everybody else is served meanwhile. The
 * thread is started for the first large body, and again should it break down. Throws AppError overloaded for what it then
 * had in hand.
 */
export function createBodyParser() {
  let thread: ParserThread | null = null
  const onThreadLost = (): void => {
    thread = null
  }
  return {
    async parse<Name extends BodySchemaName>(
      name: Name,
      bytes: Buffer<ArrayBuffer>,
    ): Promise<ParseResult<Body<Name>>> {
      if (bytes.length <= MAX_INLINE_BYTES) return parseBody(name, bytes)
      thread ??= startThread(onThreadLost)
      return (await thread.parse({ name, bytes: toTransferable(bytes) })) as ParseResult<Body<Name>>
    },
    async close(): Promise<void> {
      await thread?.terminate()
    },
  }
}

function startThread(onLost: () => void): ParserThread {
  const worker = new Worker(new URL('./body-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  })
  // What waits for it is a request, and its connection keeps the process.
  worker.unref()
  const pending: PromiseWithResolvers<unknown>[] = []
  worker.on('message', (answer: unknown) => pending.shift()?.resolve(answer))
  let hasExited = false
  // An error is followed by the exit: by then another thread may have taken its place.
  const rejectPending = (cause?: unknown): void => {
    if (hasExited) return
    hasExited = true
    onLost()
    for (const { reject } of pending.splice(0)) reject(new AppError('overloaded', { retry_after: 1, cause }))
  }
  worker.on('error', rejectPending)
  worker.on('exit', () => rejectPending())
  return {
    parse(handed) {
      const answer = Promise.withResolvers<unknown>()
      pending.push(answer)
      worker.postMessage(handed, [handed.bytes])
      return answer.promise
    },
    terminate: () => worker.terminate(),
  }
}

/** Memory that can be handed over: a Buffer may be a part of a larger one. */
function toTransferable({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  return isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
}
