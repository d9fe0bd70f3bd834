import { crc32, deflateRawSync } from 'node:zlib'
import { AppError } from '#server/core/app-error.ts'
import { DEFAULT_LIMITS } from '../process/limits.ts'
import { findDirectory, openZip } from '../containers/zip.ts'
import { openInput } from '../reading/input.ts'
import type { Zip, ZipEntry } from '../containers/zip.ts'

/** Most files of a document's archive: further ones would be lost when it is written. */
const MAX_ENTRIES = 20_000

/** Opens an archive whose files can be replaced. Throws `document_…`. */
export function openArchive(bytes: Buffer): Zip {
  const limits = { ...DEFAULT_LIMITS, entries: MAX_ENTRIES }
  let inflated = 0
  return openZip(openInput({ bytes }), {
    limits,
    countInflated(size) {
      inflated += size
      if (inflated > limits.inflated_bytes) throw new AppError('document_bomb')
    },
    skip: () => {
      throw new AppError('document_too_large')
    },
  })
}

const LOCAL_BYTES = 30
const RECORD_BYTES = 46
const LOCAL = 0x04034b50
const RECORD = 0x02014b50
/** Flag for sizes after the data; a file that is written anew has them in its header. */
const HAS_DESCRIPTOR = 8
const DEFLATED = 8

/**
 * Returns the archive with other contents of these files. Every other byte is the same, packed as it was and in its order; only
 * the offsets behind a change differ.
 */
export function replaceEntries(bytes: Buffer, contents: Map<ZipEntry, Buffer>): Buffer {
  const { offset: directory, count } = findDirectory(openInput({ bytes }))
  const byOffset = new Map([...contents].map(([entry, content]) => [entry.offset, content]))
  const records = readRecords(bytes, directory, count)
  const inOrder = records.toSorted((a, b) => a.offset.value - b.offset.value)
  const out: Buffer[] = [bytes.subarray(0, inOrder[0]?.offset.value ?? directory)]
  let at = out[0]?.length ?? 0
  for (const [index, record] of inOrder.entries()) {
    const start = record.offset.value
    const end = inOrder[index + 1]?.offset.value ?? directory
    const content = byOffset.get(start)
    const local = content ? writeLocal(bytes, start, end, record, content) : bytes.subarray(start, end)
    record.offset.write(at)
    out.push(local)
    at += local.length
  }
  const list = records.map(({ bytes: record }) => record)
  const listed = list.reduce((sum, each) => sum + each.length, 0)
  const tail = Buffer.from(bytes.subarray(directory + listed))
  moveDirectory(tail, at - directory)
  return Buffer.concat([...out, ...list, tail])
}

/** A number of a file's record: in its place or, in large archives, in the field that holds eight bytes. */
type Field = { value: number; write: (value: number) => void }
type FileRecord = { bytes: Buffer; size: Field; packed: Field; offset: Field }

function readRecords(bytes: Buffer, directory: number, count: number): FileRecord[] {
  const records: FileRecord[] = []
  for (let at = directory; records.length < count && at + RECORD_BYTES <= bytes.length;) {
    if (bytes.readUInt32LE(at) !== RECORD) break
    const extra = RECORD_BYTES + bytes.readUInt16LE(at + 28)
    const comment = extra + bytes.readUInt16LE(at + 30)
    const length = comment + bytes.readUInt16LE(at + 32)
    const record = Buffer.from(bytes.subarray(at, at + length))
    let wide = findWide(record, extra, comment)
    const read = (place: number): Field => {
      const value = record.readUInt32LE(place)
      if (value !== 0xffffffff || wide === undefined || wide + 8 > record.length) {
        return { value, write: (number) => void record.writeUInt32LE(number, place) }
      }
      const field = wide
      wide += 8
      return {
        value: Number(record.readBigUInt64LE(field)),
        write: (number) => void record.writeBigUInt64LE(BigInt(number), field),
      }
    }
    const size = read(24)
    const packed = read(20)
    records.push({ bytes: record, size, packed, offset: read(42) })
    at += length
  }
  if (records.length !== count) throw new AppError('document_damaged')
  return records
}

function findWide(record: Buffer, from: number, to: number): number | undefined {
  for (let at = from; at + 4 <= to; at += 4 + record.readUInt16LE(at + 2))
    if (record.readUInt16LE(at) === 1) return at + 4
  return undefined
}

function writeLocal(bytes: Buffer, start: number, end: number, record: FileRecord, content: Buffer): Buffer {
  const name = bytes.readUInt16LE(start + 26)
  const data = start + LOCAL_BYTES + name + bytes.readUInt16LE(start + 28)
  // Files of an archive that overlap cannot be written apart.
  if (bytes.readUInt32LE(start) !== LOCAL || data + record.packed.value > end)
    throw new AppError('document_damaged')
  const isStored = record.bytes.readUInt16LE(10) !== DEFLATED
  const packed = isStored ? content : deflateRawSync(content)
  const header = Buffer.from(bytes.subarray(start, start + LOCAL_BYTES + name))
  const flags = record.bytes.readUInt16LE(8) & ~HAS_DESCRIPTOR
  record.bytes.writeUInt16LE(flags, 8)
  record.bytes.writeUInt32LE(crc32(content), 16)
  record.size.write(content.length)
  record.packed.write(packed.length)
  header.writeUInt16LE(flags, 6)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(content.length, 22)
  // The local extra fields may hold the former sizes; readers take those of the directory.
  header.writeUInt16LE(0, 28)
  return Buffer.concat([header, packed])
}

/** Moves the place of the directory that the end of an archive states. */
function moveDirectory(tail: Buffer, by: number): void {
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0) throw new AppError('document_damaged')
  const offset = tail.readUInt32LE(end + 16)
  if (offset !== 0xffffffff) tail.writeUInt32LE(offset + by, end + 16)
  const wide = tail.lastIndexOf(Buffer.from('504b0606', 'hex'))
  const locator = tail.lastIndexOf(Buffer.from('504b0607', 'hex'))
  if (wide < 0 || locator < 0) return
  tail.writeBigUInt64LE(tail.readBigUInt64LE(wide + 48) + BigInt(by), wide + 48)
  tail.writeBigUInt64LE(tail.readBigUInt64LE(locator + 8) + BigInt(by), locator + 8)
}
