import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { AppError } from '#server/core/app-error.ts'

/** A document's bytes, in memory or on disk; large ones are read in parts. */
export type Input = {
  size: number
  /** Returns at most `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer
  close(): void
}

export type DocumentSource = { path: string } | { bytes: Uint8Array }

export function openInput(source: DocumentSource): Input {
  if ('bytes' in source) {
    const { buffer, byteOffset, byteLength } = source.bytes
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    return {
      size: bytes.length,
      read: (offset, length) => bytes.subarray(offset, offset + length),
      close: () => {},
    }
  }
  const file = openSync(source.path, 'r')
  const { size } = fstatSync(file)
  return {
    size,
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset))
    },
    close: () => closeSync(file),
  }
}

/** Reads the whole document. Throws `document_too_large` beyond `max` bytes. */
export function readAll(input: Input, max: number): Buffer {
  if (input.size > max) throw new AppError('document_too_large')
  return input.read(0, input.size)
}
