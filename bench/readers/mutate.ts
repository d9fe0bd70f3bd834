import { inflateRawSync } from 'node:zlib'
import { makeZip } from '#test/formats/make-container.ts'

/** Returns a function for random numbers from 0 to `max` exclusive; the same for the same seed. */
function createRandom(seed: number): (max: number) => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return (max) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 2 ** 32) * max)
  }
}

/** Changes a few bytes of a file; for half of the archives, bytes of the members, packed again. */
export function mutate(bytes: Buffer, seed: number): Buffer {
  const random = createRandom(seed)
  if (bytes.readUInt16BE(0) === 0x504b && random(2) === 0) {
    const members = unpack(bytes)
    const names = Object.keys(members)
    for (let times = 1 + random(3); times > 0 && names.length; times--) {
      const name = names[random(names.length)] ?? ''
      members[name] = mutateBytes(members[name] ?? Buffer.alloc(0), random)
    }
    return makeZip(members)
  }
  return mutateBytes(bytes, random)
}

const TOKENS = [
  '<',
  '>',
  '</',
  '<!DOCTYPE x [',
  ']]>',
  '{',
  '\\',
  '"',
  '\0',
  '\xff\xfe',
  '-1',
  '99999999999',
  '0 0 obj',
  '/Kids',
  'r="XFD1048576"',
  '=',
  '&#x110000;',
  '\n\n',
  '|',
]

function mutateBytes(source: Buffer, random: (max: number) => number): Buffer {
  let bytes = Buffer.from(source)
  for (let times = 1 + random(6); times > 0 && bytes.length > 4; times--) {
    const at = random(bytes.length)
    const length = 1 + random(Math.min(2000, bytes.length - at))
    const part = bytes.subarray(at, at + length)
    switch (random(8)) {
      case 0:
        for (let flips = 1 + random(20); flips > 0; flips--) bytes[random(bytes.length)] = random(256)
        break
      case 1:
        bytes = bytes.subarray(0, at)
        break
      case 2:
        part.fill(random(2) ? 0 : 255)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), part, part, bytes.subarray(at)])
        break
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 5:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(TOKENS[random(TOKENS.length)] ?? '', 'latin1'),
          bytes.subarray(at),
        ])
        break
      case 6:
        if (at + 4 <= bytes.length)
          bytes.writeUInt32LE([0, 0xffffffff, 0x7fffffff, 0x80000000, random(2 ** 31)][random(5)] ?? 0, at)
        break
      default:
        part.copy(bytes, random(bytes.length - length + 1))
    }
  }
  return bytes
}

/** Returns the members of an intact archive. */
function unpack(bytes: Buffer): Record<string, Buffer> {
  const members: Record<string, Buffer> = {}
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  for (let at = bytes.readUInt32LE(end + 16); bytes.readUInt32LE(at) === 0x02014b50;) {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field))
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
    members[bytes.toString('utf8', at + 46, at + 46 + name)] = bytes.readUInt16LE(at + 10)
      ? inflateRawSync(packed)
      : packed
    at += 46 + name + extra + comment
  }
  return members
}
