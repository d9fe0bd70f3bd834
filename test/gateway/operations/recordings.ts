// Recordings of silence in each format, frame by frame, with headers that may claim something else than the frames.

const u16 = (value: number): number[] => [value >> 8, value & 255]
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)]
const repeat = <T>(count: number, create: (nth: number) => T): T[] =>
  Array.from({ length: Math.round(count) }, (_, nth) => create(nth))

/** 64 kbit/s, 24 ms a frame. The first frame claims the number of frames (http://gabriel.mp3-tech.org/mp3infotag.html). */
export function createMp3(seconds: number, claimedFrames: number): Buffer {
  const createFrame = (): Buffer => {
    const frame = Buffer.alloc(192)
    frame.set([0xff, 0xfb, 0x54, 0xc0])
    return frame
  }
  const head = createFrame()
  head.write('Xing', 36, 'latin1')
  head.set([...u32(1), ...u32(claimedFrames)], 40)
  return Buffer.concat([head, ...repeat(seconds / 0.024, createFrame)])
}

/** Builds a box of an MP4 (ISO/IEC 14496-12). */
function box(type: string, ...parts: (number[] | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(u32(content.length + 8)), Buffer.from(type, 'latin1'), content])
}
const zeros = (count: number): Buffer => Buffer.alloc(count)

/** AAC of 16,000 samples a second, 64 ms a frame, in a file whose tables claim another length. */
export function createM4a(seconds: number, claimedSeconds: number): Buffer {
  const frames = Math.round(seconds / 0.064)
  const duration = u32(Math.round(claimedSeconds * 16_000))
  // Object type AAC LC, 16,000 a second, one channel.
  const decoder = [4, 17, 0x40, 0x15, 0, 0, 0, ...u32(0), ...u32(0), 5, 2, 0x14, 0x08]
  const esds = box('esds', u32(0), [3, decoder.length + 3, 0, 1, 0, ...decoder])
  const mp4a = box('mp4a', zeros(16), [...u16(1), ...u16(16)], zeros(4), u32(16_000 << 16), esds)
  const tables = box(
    'stbl',
    box('stsd', u32(0), u32(1), mp4a),
    box('stts', u32(0), u32(1), u32(frames), u32(1)),
    box('stsz', u32(0), u32(0), u32(frames), repeat(frames, () => u32(64)).flat()),
  )
  const mdia = box(
    'mdia',
    box('mdhd', u32(0), u32(0), u32(0), u32(16_000), duration, u32(0)),
    box('hdlr', u32(0), u32(0), Buffer.from('soun'), zeros(13)),
    box('minf', tables),
  )
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A '), u32(0)),
    box(
      'moov',
      box('mvhd', zeros(12), u32(16_000), duration, zeros(80)),
      box('trak', box('tkhd', u32(0), u32(0), u32(0), u32(1), zeros(68)), mdia),
    ),
    box('mdat', zeros(frames * 64)),
  ])
}

/** 4,096 samples a frame at 16,000 a second; the header claims the number of samples. */
export function createFlac(seconds: number, claimedSamples: number): Buffer {
  const crc8 = (bytes: number[]): number =>
    bytes.reduce((crc, byte) => {
      let next = crc ^ byte
      for (let bit = 0; bit < 8; bit++) next = next & 128 ? ((next << 1) ^ 7) & 255 : next << 1
      return next
    }, 0)
  const createFrame = (nth: number): Buffer => {
    // The number of the frame, in UTF-8's code of characters.
    const number = [...Buffer.from(String.fromCodePoint(nth), 'utf8')]
    const head = [0xff, 0xf8, 0xc5, 0x08, ...number]
    return Buffer.concat([Buffer.from([...head, crc8(head)]), Buffer.alloc(400)])
  }
  // 16,000 a second (20 bits), one channel, 16 bits, the number of samples (36 bits).
  const info = [...u16(4096), ...u16(4096), 0, 0, 0, 0, 0, 0, 0x03, 0xe8, 0x00, 0xf0, ...u32(claimedSamples)]
  const header = Buffer.from([0x80, 0, 0, 34, ...info])
  return Buffer.concat([
    Buffer.from('fLaC'),
    header,
    Buffer.alloc(16),
    ...repeat((seconds * 16_000) / 4096, createFrame),
  ])
}

/** A packet of Opus of 20 ms. */
const createOpusPacket = (): Buffer => Buffer.concat([Buffer.from([0xf8]), Buffer.alloc(39)])

/** Opus; its pages claim that the recording ends at a sample. */
export function createOgg(seconds: number, claimedSamples: number): Buffer {
  const createPage = (packets: Buffer[], position: number): Buffer => {
    const head = Buffer.alloc(27)
    head.write('OggS', 0, 'latin1')
    head.writeBigInt64LE(BigInt(position), 6)
    head.writeUInt32LE(1, 14)
    head[26] = packets.length
    return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  }
  const start = Buffer.alloc(19)
  start.write('OpusHead', 0, 'latin1')
  return Buffer.concat([
    createPage([start], 0),
    createPage([Buffer.from('OpusTags')], 0),
    ...repeat(seconds, () => createPage(repeat(50, createOpusPacket), claimedSamples)),
  ])
}

/** Opus in fragments, as a browser records it; the times of its packets give no length. */
export function createFragmentedMp4(seconds: number): Buffer {
  const entry = box('Opus', zeros(28))
  const track = box(
    'trak',
    box('tkhd', zeros(12), u32(1), zeros(68)),
    box(
      'mdia',
      box('mdhd', zeros(12), u32(48_000), zeros(8)),
      box('hdlr', zeros(8), Buffer.from('soun'), zeros(13)),
      box('minf', box('stbl', box('stsd', zeros(4), u32(1), entry))),
    ),
  )
  const packets = repeat(50, createOpusPacket)
  const run = [
    ...u32(0x301),
    ...u32(50),
    ...u32(0),
    ...packets.flatMap(({ length }) => [...u32(1), ...u32(length)]),
  ]
  const fragment = Buffer.concat([
    box('moof', box('traf', box('tfhd', u32(0), u32(1)), box('trun', run))),
    box('mdat', ...packets),
  ])
  return Buffer.concat([
    box('ftyp', Buffer.from('iso5'), u32(0)),
    box('moov', track),
    ...repeat(seconds, () => fragment),
  ])
}

/** As a browser records it: no length, clusters of unknown size, a packet of Opus each 20 ms. */
export function createWebm(seconds: number): Buffer {
  const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  const element = (id: number[], content: number[] | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([...id, 0x40 | (content.length >> 8), content.length & 255]),
      Buffer.from(content),
    ])
  const open = (...id: number[]): Buffer => Buffer.from([...id, ...UNKNOWN_SIZE])
  const track = [element([0xd7], [1]), element([0x83], [2]), element([0x86], Buffer.from('A_OPUS'))]
  const createCluster = (second: number): Buffer =>
    Buffer.concat([
      open(0x1f, 0x43, 0xb6, 0x75),
      element([0xe7], u32(second * 1000)),
      ...repeat(50, (nth) =>
        element([0xa3], Buffer.concat([Buffer.from([0x81, ...u16(nth * 20), 0x80]), createOpusPacket()])),
      ),
    ])
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from('webm'))),
    open(0x18, 0x53, 0x80, 0x67),
    element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40])),
    element([0x16, 0x54, 0xae, 0x6b], element([0xae], Buffer.concat(track))),
    ...repeat(seconds, createCluster),
  ])
}

/** 20 MB of empty parts. */
export function createEmptyWav(): Buffer {
  const bytes = Buffer.alloc(20_000_000)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write('WAVE', 8, 'latin1')
  return bytes
}
