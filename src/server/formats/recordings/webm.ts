import { getOpusSeconds, MAX_OPUS_BITS_PER_SECOND } from './opus.ts'
import { MAX_PARTS } from './sound.ts'
import type { Sound } from './sound.ts'

/** Elements of Matroska (RFC 9559) by their ids. Those in the first list are entered, whatever size they claim. */
const [SEGMENT, INFO, TRACKS, TRACK, CLUSTER, BLOCK_GROUP] = [
  0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0,
]
const [TIMESTAMP_SCALE, TRACK_NUMBER, TRACK_TYPE, CODEC, CLUSTER_TIMESTAMP, SIMPLE_BLOCK, BLOCK] = [
  0x2ad7b1, 0xd7, 0x83, 0x86, 0xe7, 0xa3, 0xa1,
]
const CONTAINERS = new Set([SEGMENT, INFO, TRACKS, TRACK, CLUSTER, BLOCK_GROUP])
const SOUND_TRACK = 2
const MAX_TRACKS = 100
const [LACING_XIPH, LACING_EBML] = [1, 3]

/** Added to the time of the last packet, whose own length is unknown. */
const LAST_PACKET_SECONDS = 0.02
const MAX_BITS_PER_SECOND = 25_000_000
/** Most bits a second and shortest frame, by codec. Each packet of Opus tells its own length. */
const CODECS: Record<string, { max_bits_per_second: number; min_frame_seconds: number }> = {
  A_OPUS: { max_bits_per_second: MAX_OPUS_BITS_PER_SECOND, min_frame_seconds: 0 },
  A_AAC: { max_bits_per_second: 600_000, min_frame_seconds: 1024 / 48_000 },
  'A_MPEG/L3': { max_bits_per_second: 350_000, min_frame_seconds: 1152 / 48_000 },
  A_VORBIS: { max_bits_per_second: 600_000, min_frame_seconds: 0 },
}

type Track = {
  number: number
  isSound: boolean
  codec: string
  first: number
  last: number
  packet_seconds: number
  bytes: number
}

/**
 * Measures WebM and Matroska by the packets: their times, and in Opus also their lengths. A browser's recording states no length
 * and no sizes of its clusters, so only the elements inside can end one.
 */
export function measureWebm(bytes: Buffer): Sound | null {
  const tracks: Track[] = []
  let [at, scale, clusterTimestamp] = [0, 1_000_000, 0]
  for (let parts = 0; at < bytes.length; parts++) {
    if (parts > MAX_PARTS) return null
    const idBytes = getVintBytes(bytes[at] ?? 0)
    const sizeAt = at + idBytes
    const sizeBytes = getVintBytes(bytes[sizeAt] ?? 0)
    const start = sizeAt + sizeBytes
    if (idBytes > 4 || sizeBytes > 8 || start > bytes.length) break
    const id = bytes.readUIntBE(at, idBytes)
    const size = readVint(bytes, sizeAt, sizeBytes)
    if (id === TRACK && tracks.length < MAX_TRACKS)
      tracks.push({
        number: 0,
        isSound: false,
        codec: '',
        first: Infinity,
        last: 0,
        packet_seconds: 0,
        bytes: 0,
      })
    if (CONTAINERS.has(id)) {
      at = start
      continue
    }
    const content = bytes.subarray(start, start + size)
    const track = tracks.at(-1)
    if (id === TIMESTAMP_SCALE) scale = readUnsigned(content)
    else if (id === CLUSTER_TIMESTAMP) clusterTimestamp = readUnsigned(content)
    else if (id === TRACK_NUMBER && track) track.number = readUnsigned(content)
    else if (id === TRACK_TYPE && track) track.isSound = readUnsigned(content) === SOUND_TRACK
    else if (id === CODEC && track) track.codec = content.toString('latin1')
    else if (id === SIMPLE_BLOCK || id === BLOCK) readBlock(content, clusterTimestamp, tracks)
    at = start + size
  }
  const sound = tracks.find(({ isSound, bytes: size }) => isSound && size > 0)
  if (!sound) return null
  const span = ((sound.last - sound.first) * scale) / 1e9 + LAST_PACKET_SECONDS
  return {
    seconds: Math.max(span, sound.packet_seconds),
    bytes: sound.bytes,
    max_bits_per_second: CODECS[sound.codec]?.max_bits_per_second ?? MAX_BITS_PER_SECOND,
  }
}

/** A block: the number of its track, its time after its cluster's, flags, frames (RFC 9559 section 10). */
function readBlock(block: Buffer, clusterTimestamp: number, tracks: Track[]): void {
  const numberBytes = getVintBytes(block[0] ?? 0)
  if (numberBytes > 8 || block.length < numberBytes + 4) return
  const number = readVint(block, 0, numberBytes)
  const track = tracks.find((one) => one.number === number)
  if (!track?.isSound) return
  const timestamp = clusterTimestamp + block.readInt16BE(numberBytes)
  track.first = Math.min(track.first, timestamp)
  track.last = Math.max(track.last, timestamp)
  track.bytes += block.length
  const lacing = ((block[numberBytes + 2] ?? 0) >> 1) & 3
  const { frames, start } = readLacing(block, numberBytes + 3, lacing)
  track.packet_seconds +=
    frames *
    (track.codec === 'A_OPUS'
      ? getOpusSeconds(block[start] ?? 0, block[start + 1] ?? 0)
      : (CODECS[track.codec]?.min_frame_seconds ?? 0))
}

/** Counts the frames of a block, and finds the offset of the first one. */
function readLacing(block: Buffer, at: number, lacing: number): { frames: number; start: number } {
  if (lacing === 0) return { frames: 1, start: at }
  const frames = (block[at] ?? 0) + 1
  let start = at + 1
  // The sizes of all frames but the last one.
  for (let frame = 1; frame < frames && start < block.length; frame++) {
    if (lacing === LACING_EBML) start += getVintBytes(block[start] ?? 0)
    else if (lacing === LACING_XIPH) {
      while (block[start] === 255) start += 1
      start += 1
    }
  }
  return { frames, start }
}

/** Bytes of a number whose leading zeros tell its length; 9 for a byte that begins no number. */
const getVintBytes = (first: number): number => Math.clz32(first) - 23

/** Reads such a number without its marker; Infinity for an unknown size. */
function readVint(bytes: Buffer, at: number, size: number): number {
  let value = (bytes[at] ?? 0) & ((1 << (8 - size)) - 1)
  let isUnknown = value === (1 << (8 - size)) - 1
  for (let next = at + 1; next < at + size; next++) {
    value = value * 256 + (bytes[next] ?? 0)
    isUnknown &&= bytes[next] === 255
  }
  return isUnknown ? Infinity : value
}

const readUnsigned = (bytes: Buffer): number =>
  bytes.length >= 1 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : 0
