import { deflateRawSync } from 'node:zlib'

type Member = string | Uint8Array
/** Claims of an archive about a member, true or not. */
export type ZipLies = { flags?: number; method?: number; size?: number; name?: Buffer }

/** Makes an archive of these files. */
export function makeZip(members: Record<string, Member>, lies: Record<string, ZipLies> = {}): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string)
    const { flags = 0x800, method = 8, size = bytes.length, name = Buffer.from(path) } = lies[path] ?? {}
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(method, 4)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const header = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, name, packed])
    local.push(header)
    directory.push(
      Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, place.subarray(0, 4 + 10), name]),
    )
    offset += header.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, list, end])
}

/** Makes a compound file of streams by their paths, `/` between storage and stream. */
export function makeCompoundFile(streams: Record<string, Buffer>): Buffer {
  type Entry = { name: string; type: number; child: number; next: number; data?: Buffer; start: number }
  const entries: Entry[] = [{ name: 'Root Entry', type: 5, child: -1, next: -1, start: 0 }]
  const folders = new Map<string, number>([['', 0]])
  const put = (parent: number, entry: Omit<Entry, 'next'>): number => {
    const owner = entries[parent]
    entries.push({ ...entry, next: owner?.child ?? -1 })
    if (owner) owner.child = entries.length - 1
    return entries.length - 1
  }
  for (const [path, data] of Object.entries(streams)) {
    const [name = '', folder = ''] = path.split('/').reverse()
    let parent = folders.get(folder)
    if (parent === undefined) {
      parent = put(0, { name: folder, type: 1, child: -1, start: 0 })
      folders.set(folder, parent)
    }
    // A stream of less than 4,096 bytes would lie among the small ones.
    put(parent, {
      name,
      type: 2,
      child: -1,
      start: 0,
      data: Buffer.concat([data, Buffer.alloc(Math.max(0, 4096 - data.length))]),
    })
  }
  const sectors: Buffer[] = []
  const fat: number[] = []
  const write = (data: Buffer): number => {
    const first = sectors.length
    for (let at = 0; at < data.length; at += 512) {
      sectors.push(
        Buffer.concat([data.subarray(at, at + 512), Buffer.alloc(Math.max(0, at + 512 - data.length))]),
      )
      fat.push(at + 512 < data.length ? sectors.length : 0xfffffffe)
    }
    return first
  }
  for (const entry of entries) if (entry.data) entry.start = write(entry.data)
  const directory = write(
    Buffer.concat(
      entries.map(({ name, type, child, next, data, start }) => {
        const bytes = Buffer.alloc(128)
        bytes.write(name, 'utf16le')
        bytes.writeUInt16LE(name.length * 2 + 2, 64)
        bytes[66] = type
        bytes.writeInt32LE(-1, 68)
        bytes.writeInt32LE(next, 72)
        bytes.writeInt32LE(child, 76)
        bytes.writeUInt32LE(type === 5 ? 0xfffffffe : start, 116)
        bytes.writeUInt32LE(data?.length ?? 0, 120)
        return bytes
      }),
    ),
  )
  const fatSectors = Math.ceil((fat.length + 8) / 127)
  const fatStart = sectors.length
  for (let index = 0; index < fatSectors; index++) fat.push(0xfffffffd)
  const table = Buffer.alloc(fatSectors * 512, 0xff)
  fat.forEach((next, index) => table.writeUInt32LE(next, index * 4))
  const header = Buffer.alloc(512, 0xff)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(fatSectors, 44)
  header.writeUInt32LE(directory, 48)
  for (let index = 0; index < fatSectors; index++) header.writeUInt32LE(fatStart + index, 76 + index * 4)
  return Buffer.concat([header, ...sectors, table])
}
