import { AppError } from '#server/core/app-error.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** A storage of Microsoft's compound file: streams of bytes and further storages by their names. */
export type Storage = { streams: Map<string, () => Buffer>; storages: Map<string, Storage> }

/** Names are found in any case, as in MS-CFB 2.6.4. */
class Names<Value> extends Map<string, Value> {
  private readonly byUpperCase = new Map<string, Value>()

  override set(name: string, value: Value): this {
    this.byUpperCase.set(name.toUpperCase(), value)
    return super.set(name, value)
  }

  override get(name: string): Value | undefined {
    return super.get(name) ?? this.byUpperCase.get(name.toUpperCase())
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined
  }
}

const END = 0xfffffffa
const NONE = 0xffffffff
const ENTRY_BYTES = 128
const MINI_STREAM_BYTES = 4096

/** Opens the container of old Office files and Outlook messages (MS-CFB). Throws `document_damaged`. */
export function openCompoundFile(bytes: Buffer): Storage {
  if (bytes.length < 512) throw new AppError('document_damaged')
  const sectorBytes = 1 << Math.min(12, bytes.readUInt16LE(30))
  const sector = (number: number): Buffer =>
    bytes.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes)
  const readNumbers = (buffer: Buffer): number[] =>
    Array.from({ length: buffer.length >> 2 }, (_, index) => buffer.readUInt32LE(index * 4))

  const fatSectors = readNumbers(bytes.subarray(76, 512))
  const max = Math.ceil(bytes.length / sectorBytes)
  for (let next = bytes.readUInt32LE(68), steps = 0; next < END && steps < max; steps++) {
    const numbers = readNumbers(sector(next))
    next = numbers.pop() ?? NONE
    fatSectors.push(...numbers)
  }
  const fat = fatSectors
    .filter((number) => number < END && number < max)
    .slice(0, max)
    .flatMap((number) => readNumbers(sector(number)))

  /** Joins the sectors of a chain; a chain that loops ends after as many sectors as there are. */
  const follow = (
    table: number[],
    first: number,
    readSector: (number: number) => Buffer,
    count = max,
  ): Buffer => {
    const parts: Buffer[] = []
    for (let next = first; next < END && parts.length < count; next = table[next] ?? NONE)
      parts.push(readSector(next))
    return Buffer.concat(parts)
  }
  const directory = follow(fat, bytes.readUInt32LE(48), sector)
  if (directory.length < ENTRY_BYTES) throw new AppError('document_damaged')
  const miniFat = readNumbers(follow(fat, bytes.readUInt32LE(60), sector))
  const miniStream = follow(fat, directory.readUInt32LE(116), sector)
  const miniSector = (number: number): Buffer => miniStream.subarray(number * 64, number * 64 + 64)

  const readStream = (entry: Buffer): Buffer => {
    const [first, size] = [entry.readUInt32LE(116), entry.readUInt32LE(120)]
    const stream =
      size < MINI_STREAM_BYTES
        ? follow(miniFat, first, miniSector, Math.ceil(miniStream.length / 64))
        : follow(fat, first, sector)
    return stream.subarray(0, size)
  }
  const visited = new Set<number>()
  const readStorage = (root: number): Storage => {
    const storage: Storage = { streams: new Names(), storages: new Names() }
    const open = [root]
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      const entry = directory.subarray(number * ENTRY_BYTES, (number + 1) * ENTRY_BYTES)
      if (number === NONE || entry.length < ENTRY_BYTES || visited.has(number)) continue
      visited.add(number)
      const name = decodeUtf16(entry, 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2))
      if (entry[66] === 1) storage.storages.set(name, readStorage(entry.readUInt32LE(76)))
      else if (entry[66] === 2) storage.streams.set(name, () => readStream(entry))
      open.push(entry.readUInt32LE(68), entry.readUInt32LE(72))
    }
    return storage
  }
  visited.add(0)
  return readStorage(directory.readUInt32LE(76))
}
