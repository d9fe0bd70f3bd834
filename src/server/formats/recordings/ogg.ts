import { getOpusSeconds, MAX_OPUS_BITS_PER_SECOND } from './opus.ts'
import type { Sound } from './sound.ts'

const PAGE_HEADER_BYTES = 27
const PAGE = Buffer.from('OggS')
/** Vorbis at its best, and a margin. FLAC in Ogg has a name, and so a limit, of its own. */
const MAX_BITS_PER_SECOND = 600_000
const MAX_FLAC_BITS_PER_SECOND = 25_000_000

type Stream = {
  codec: 'opus' | 'vorbis' | 'flac' | 'speex' | null
  rate: number
  packets: number
  seconds: number
  bytes: number
  /** The end of a packet is on a later page. */
  isContinued: boolean
}

/**
 * Measures Ogg (RFC 3533): Opus by its packets; Vorbis, FLAC and Speex by the positions that its pages state. False positions
 * cannot make a file much shorter without more bytes a second than there can be.
 */
export function measureOgg(bytes: Buffer): Sound | null {
  const streams = new Map<number, Stream>()
  let at = bytes.indexOf(PAGE)
  while (at !== -1 && at + PAGE_HEADER_BYTES <= bytes.length) {
    const segments = bytes[at + 26] ?? 0
    const table = bytes.subarray(at + PAGE_HEADER_BYTES, at + PAGE_HEADER_BYTES + segments)
    const start = at + PAGE_HEADER_BYTES + segments
    const serial = bytes.readUInt32LE(at + 14)
    const stream = streams.get(serial) ?? createStream()
    streams.set(serial, stream)
    const end = readPackets(bytes, start, table, stream)
    const position = Number(bytes.readBigInt64LE(at + 6))
    if (stream.codec !== 'opus' && stream.rate > 0)
      stream.seconds = Math.max(stream.seconds, position / stream.rate)
    at = bytes.indexOf(PAGE, Math.max(end, at + 1))
  }
  const sounds = [...streams.values()].filter(({ codec }) => codec !== null)
  if (sounds.length === 0) return null
  return {
    seconds: sounds.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: sounds.reduce((sum, stream) => sum + stream.bytes, 0),
    max_bits_per_second: Math.max(...sounds.map(getMaxBitsPerSecond)),
  }
}

const createStream = (): Stream => ({
  codec: null,
  rate: 0,
  packets: 0,
  seconds: 0,
  bytes: 0,
  isContinued: false,
})

const getMaxBitsPerSecond = ({ codec }: Stream): number =>
  codec === 'opus'
    ? MAX_OPUS_BITS_PER_SECOND
    : codec === 'flac'
      ? MAX_FLAC_BITS_PER_SECOND
      : MAX_BITS_PER_SECOND

/** Reads the packets that begin on a page, and returns the offset at which the page ends. */
function readPackets(bytes: Buffer, start: number, table: Buffer, stream: Stream): number {
  let at = start
  for (const size of table) {
    if (!stream.isContinued) readPacket(bytes, at, stream)
    stream.isContinued = size === 255
    stream.bytes += size
    at += size
  }
  return at
}

/** The first packet of a stream names its codec; in Opus the second one is a comment. */
function readPacket(bytes: Buffer, at: number, stream: Stream): void {
  stream.packets += 1
  if (stream.packets === 1) identify(bytes.subarray(at, at + 64), stream)
  else if (stream.codec === 'opus' && stream.packets > 2)
    stream.seconds += getOpusSeconds(bytes[at] ?? 0, bytes[at + 1] ?? 0)
}

function identify(packet: Buffer, stream: Stream): void {
  const name = packet.toString('latin1', 0, 8)
  if (packet.length < 40 && name !== 'OpusHead' && !name.startsWith('\x01vorbis')) return
  if (name === 'OpusHead') stream.codec = 'opus'
  else if (name.startsWith('\x01vorbis')) [stream.codec, stream.rate] = ['vorbis', packet.readUInt32LE(12)]
  else if (name.startsWith('\x7fFLAC')) [stream.codec, stream.rate] = ['flac', packet.readUIntBE(27, 3) >> 4]
  else if (name === 'Speex   ') [stream.codec, stream.rate] = ['speex', packet.readUInt32LE(36)]
}
