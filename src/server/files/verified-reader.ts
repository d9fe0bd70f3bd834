import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#server/core/app-error.ts'
import type { LogWriter } from '#server/core/log.ts'
import type { ByteRange, ObjectStore, OpenedObject } from './object-store.ts'

/** The record of an object; without an MD5 only its size is compared. */
export type RecordedObject = { key: string; size: number; md5: string | undefined }

/** The bytes of a recorded object, which are those of its record. */
export type VerifiedObject = {
  /**
   * Returns as many bytes as the range has: the stream fails when the store gives fewer, so that a declared length is always the
   * length that is sent. Closes the object at its end.
   */
  read(range?: ByteRange): Promise<Readable>
  close(): Promise<void>
}

/** Most versions that are remembered as those of their records. */
const MAX_REMEMBERED = 10_000

/**
 * Creates the one way to the bytes of the store. An object is read where its size and MD5 are those of its record, which is
 * checked once for each version; a different object is logged, and answers like a missing one.
 */
export function createVerifiedReader(objects: ObjectStore, log: LogWriter) {
  const remembered = new Map<string, { version: string; isRight: Promise<boolean> }>()

  const isRight = (object: OpenedObject, { key, size, md5 }: RecordedObject): Promise<boolean> => {
    if (object.size !== size || md5 === undefined) return Promise.resolve(object.size === size)
    const name = `${key} ${md5}`
    const entry = remembered.get(name)
    const result =
      entry?.version === object.version
        ? entry.isRight
        : readExactly(object, { start: 0, end: size - 1 })
            .then((bytes) => computeDigest(bytes, 'md5'))
            .then((digest) => digest === md5)
    // The most recently requested entry stands at the end.
    remembered.delete(name)
    remembered.set(name, { version: object.version, isRight: result })
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    // An object that could not be read is read again for the next request.
    result.catch(() => remembered.delete(name))
    return result
  }

  /** Throws AppError not_found where the object is gone or not the one that was recorded. */
  return async (file: RecordedObject): Promise<VerifiedObject> => {
    const object = await objects.open(file.key)
    const finding = object ? 'another one' : 'gone'
    try {
      if (!object || !(await isRight(object, file))) {
        log.error({ key: file.key, found: finding }, 'the object of a file is not the one that was recorded')
        throw new AppError('not_found')
      }
    } catch (error) {
      await object?.close()
      throw error
    }
    return {
      async read(range = { start: 0, end: file.size - 1 }) {
        try {
          const bytes = await readExactly(object, range)
          bytes.once('close', () => void object.close())
          return bytes
        } catch (error) {
          await object.close()
          throw error
        }
      },
      close: () => object.close(),
    }
  }
}

/** Reads the bytes of a range; the stream fails where they are fewer or more than it has. */
async function readExactly(object: OpenedObject, { start, end }: ByteRange): Promise<Readable> {
  let remaining = end - start + 1
  const exact = new Transform({
    transform(chunk: Buffer, _, callback) {
      remaining -= chunk.length
      if (remaining < 0) callback(new Error('the store gave more bytes than the object has'))
      else callback(null, chunk)
    },
    flush(callback) {
      callback(remaining > 0 ? new Error('the store gave fewer bytes than the object has') : null)
    },
  })
  // The stream itself reports an error to its reader.
  pipeline(await object.read({ start, end }), exact).catch(() => {})
  return exact
}

export async function computeDigest(stream: Readable, algorithm: 'md5' | 'sha256'): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(stream, hash)
  return hash.digest('hex')
}
