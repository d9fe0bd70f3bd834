import { isUtf8 } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { AppError } from '#server/core/app-error.ts'
import type { Input } from '../reading/input.ts'
import { RATIO_FROM_BYTES } from '../process/limits.ts'
import type { Output } from '../reading/output.ts'
import { decodeBytes } from '../text/byte-decoder.ts'
import { decodeText } from '../text/encoding.ts'

export type ZipEntry = {
  name: string
  flags: number
  method: number
  packed: number
  size: number
  offset: number
}

/** The files of an archive by their paths; each is unpacked when it is read. */
export type Zip = {
  entries: ZipEntry[]
  /** Throws `document_encrypted`, `document_bomb`, `document_too_large`, `document_unsupported` or `document_damaged`. */
  read(entry: ZipEntry): Buffer
  find(name: string): ZipEntry | undefined
}

const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const ENCRYPTED = 1
const UTF8 = 0x800
const SLASH = 0x2f
/** Names by which the encoding of all of them is told. */
const SAMPLE_NAMES = 100

/** The part of an output that reading an archive needs: the limits, and where to report what is left out. */
export type Unpacking = Pick<Output, 'limits' | 'countInflated' | 'skip'>

/** Reads an archive's directory. The sizes in it are trusted only as limits. */
export function openZip(input: Input, output: Unpacking): Zip {
  const entries = readDirectory(input, output)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    entries,
    read: (entry) => readEntry(input, entry, output),
    find: (name) => byName.get(name) ?? byName.get(name.replaceAll('/', '\\')),
  }
}

function readDirectory(input: Input, output: Unpacking): ZipEntry[] {
  const { offset, length, count } = findDirectory(input)
  const directory = input.read(offset, Math.min(length, output.limits.whole_bytes))
  const entries: ZipEntry[] = []
  const names: Buffer[] = []
  let at = 0
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    )
    const name = directory.subarray(at + 46, at + 46 + (nameBytes ?? 0))
    const flags = directory.readUInt16LE(at + 8)
    const entry = {
      name: '',
      flags,
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    }
    const extra = at + 46 + (nameBytes ?? 0)
    widen(entry, directory.subarray(extra, extra + (extraBytes ?? 0)))
    // A folder. A backslash may be the second byte of a character.
    if (name.at(-1) !== SLASH) {
      entries.push(entry)
      names.push(name)
    }
    at = extra + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (entries.length >= output.limits.entries) {
      if (count > entries.length) output.skip('limit', `${entries.length + 1}–${count}`)
      break
    }
  }
  if (entries.length === 0 && count > 0) throw new AppError('document_damaged')
  // Archives of Chinese systems often have GBK names, without saying so: together they tell their encoding.
  const isUnicode = (index: number, name: Buffer): boolean =>
    ((entries[index]?.flags ?? 0) & UTF8) !== 0 || isUtf8(name)
  const others = names.filter((name, index) => !isUnicode(index, name)).slice(0, SAMPLE_NAMES)
  const { encoding } = decodeText(Buffer.concat(others.flatMap((name) => [name, Buffer.from('\n')])))
  for (const [index, name] of names.entries()) {
    const text = isUnicode(index, name) ? name.toString() : decodeBytes(name, encoding).text
    entries[index]!.name = text.replaceAll('\\', '/')
  }
  return entries.filter(({ name }) => !name.endsWith('/'))
}

/** Reads the sizes of files beyond 4 GB, which stand in an extra field (ZIP64). */
function widen(entry: ZipEntry, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let field = at + 4
    for (const key of ['size', 'packed', 'offset'] as const) {
      if (entry[key] !== 0xffffffff || field + 8 > extra.length) continue
      entry[key] = Number(extra.readBigUInt64LE(field))
      field += 8
    }
  }
}

/** Finds where the list of an archive's files is, and how many there are. Throws `document_damaged`. */
export function findDirectory(input: Input): { offset: number; length: number; count: number } {
  const start = Math.max(0, input.size - END_BYTES - MAX_COMMENT_BYTES)
  const tail = input.read(start, input.size - start)
  const at = tail.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (at < 0 || at + END_BYTES > tail.length) throw new AppError('document_damaged')
  const directory = {
    offset: tail.readUInt32LE(at + 16),
    length: tail.readUInt32LE(at + 12),
    count: tail.readUInt16LE(at + 10),
  }
  if (directory.offset !== 0xffffffff && directory.count !== 0xffff) return directory
  const locator = input.read(start + at - 20, 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return directory
  const end = input.read(Number(locator.readBigUInt64LE(8)), 56)
  if (end.length < 56 || end.readUInt32LE(0) !== 0x06064b50) throw new AppError('document_damaged')
  const [count, length, offset] = [32, 40, 48].map((field) => Number(end.readBigUInt64LE(field)))
  return { count: count ?? 0, length: length ?? 0, offset: offset ?? 0 }
}

function readEntry(input: Input, entry: ZipEntry, output: Unpacking): Buffer {
  if (entry.flags & ENCRYPTED) throw new AppError('document_encrypted')
  if (entry.method !== 0 && entry.method !== 8) throw new AppError('document_unsupported')
  const { entry_bytes, ratio } = output.limits
  if (entry.packed > entry_bytes) throw new AppError('document_too_large')
  const header = input.read(entry.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new AppError('document_damaged')
  const data = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = input.read(data, entry.packed)
  if (packed.length < entry.packed) throw new AppError('document_damaged')
  const byRatio = Math.max(RATIO_FROM_BYTES, packed.length * ratio)
  const bytes =
    entry.method === 0 ? packed : inflate(packed, Math.min(entry_bytes, byRatio), byRatio < entry_bytes)
  output.countInflated(bytes.length)
  return bytes
}

function inflate(packed: Buffer, max: number, isRatio: boolean): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: max })
  } catch (cause) {
    const isLarge =
      cause instanceof RangeError || (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    if (!isLarge) throw new AppError('document_damaged', { cause })
    throw new AppError(isRatio ? 'document_bomb' : 'document_too_large', { cause })
  }
}
