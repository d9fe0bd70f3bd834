import type { Readable } from 'node:stream'
import { AppError } from '#server/core/app-error.ts'
import type { ByteSource } from '../byte-source.ts'

/** Bytes that are encoded at a time: a multiple of three, so that the pieces join to the same base64 as the whole. */
const ENCODED_BYTES = 49_152

type Encoding = 'base64' | 'binary'
/** A part of a body: bytes as they are, or the bytes of a source. */
export type BodyPart = Uint8Array | { source: ByteSource; encoding: Encoding }

/** The body of a request, whose length is known before it is read: only the piece that is being sent is in memory. */
export class StreamedBody {
  readonly size: number
  readonly #parts: readonly BodyPart[]

  constructor(parts: readonly BodyPart[]) {
    this.#parts = parts
    this.size = parts.reduce((sum, part) => sum + getSize(part), 0)
  }

  /**
   * Reads its bytes from the beginning. An open source is closed when `signal` aborts, also while nobody reads. Throws AppError
   * file_failed for a source that does not have exactly its size of bytes.
   */
  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) yield part
      else if (part.encoding === 'base64') yield* encodeBase64(readSource(part.source, signal))
      else yield* readSource(part.source, signal)
    }
  }
}

/** A JSON text in which the bytes of sources, in base64, replace their placeholders; the text itself without sources. */
export function toJsonBody(json: string, sources: readonly ByteSource[]): string | StreamedBody {
  if (!sources.length) return json
  const sourcesByPlaceholder = new Map(sources.map((source) => [source.placeholder, source]))
  const parts = json
    .split(new RegExp(`(${[...sourcesByPlaceholder.keys()].join('|')})`))
    .map((part): BodyPart => {
      const source = sourcesByPlaceholder.get(part)
      return source ? { source, encoding: 'base64' } : new TextEncoder().encode(part)
    })
  return new StreamedBody(parts)
}

function getSize(part: BodyPart): number {
  if (part instanceof Uint8Array) return part.byteLength
  const { size } = part.source
  return part.encoding === 'base64' ? Math.ceil(size / 3) * 4 : size
}

/** Reads a source, which must have exactly as many bytes as its size. */
async function* readSource(source: ByteSource, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let remainingBytes = source.size
  let stream: Readable | undefined
  const close = (): void => void stream?.destroy()
  signal.addEventListener('abort', close, { once: true })
  try {
    stream = await source.open()
    // The loop below gets the error, but the stream may also fail while nobody reads it.
    stream.on('error', () => {})
    if (signal.aborted) close()
    for await (const bytes of stream as AsyncIterable<Uint8Array>) {
      remainingBytes -= bytes.byteLength
      if (remainingBytes < 0) throw new Error('a source has more bytes than it is to have')
      yield bytes
    }
    if (remainingBytes > 0) throw new Error('a source has fewer bytes than it is to have')
  } catch (cause) {
    signal.throwIfAborted()
    throw new AppError('file_failed', { cause })
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

async function* encodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const { buffer, byteOffset, byteLength } = chunk
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : Buffer.from(buffer, byteOffset, byteLength)
    const end = bytes.length - (bytes.length % 3)
    for (let at = 0; at < end; at += ENCODED_BYTES)
      yield Buffer.from(bytes.toString('base64', at, Math.min(at + ENCODED_BYTES, end)), 'latin1')
    rest = bytes.subarray(end)
  }
  if (rest.length) yield Buffer.from(rest.toString('base64'), 'latin1')
}
