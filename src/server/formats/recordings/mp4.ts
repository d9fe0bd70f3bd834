import { getOpusSeconds } from './opus.ts'
import { MAX_PARTS } from './sound.ts'
import type { Sound } from './sound.ts'

/** Boxes that hold boxes, down to those that count the frames of sound (ISO/IEC 14496-12). */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']
/** AAC has at most 6,144 bits a channel and frame. */
const MAX_AAC_BITS_PER_SECOND = 600_000
const MAX_BITS_PER_SECOND = 25_000_000

type Track = {
  id: number
  isSound: boolean
  timescale: number
  /** Seconds of a frame, for formats whose frames all have the same length: AAC and MP3. */
  frame_seconds: number | null
  frames: number
  bytes: number
  /** Length of all frames in units of the timescale, for formats whose frames differ in length. */
  ticks: number
  isOpus: boolean
  /** Bytes of each frame. */
  sizes: number[]
}

/** The collected contents of a file: its tracks, and the data that their frames lie in. */
type Contents = { tracks: Track[]; data: Buffer[] }

/** Measures MP4, M4A and QuickTime, in fragments too, by the frames of sound that a decoder reads according to the tables. */
export function measureMp4(bytes: Buffer): Sound | null {
  const contents: Contents = { tracks: [], data: [] }
  if (readBoxes(bytes, contents, MAX_PARTS) < 0) return null
  const { tracks, data } = contents
  const sounds = tracks.filter(({ isSound, frames }) => isSound && frames > 0)
  const [first] = sounds
  if (!first) return null
  const getSeconds = (track: Track): number => {
    const { isOpus, frame_seconds, frames, ticks, timescale } = track
    if (isOpus) return sumOpusSeconds(track, data)
    return frame_seconds === null ? ticks / timescale : frames * frame_seconds
  }
  return {
    seconds: Math.max(...sounds.map(getSeconds)),
    bytes: Math.max(...sounds.map((track) => track.bytes)),
    max_bits_per_second: first.frame_seconds === null ? MAX_BITS_PER_SECOND : MAX_AAC_BITS_PER_SECOND,
  }
}

/** Returns how many more boxes may be read after these; negative when there are too many. */
function readBoxes(bytes: Buffer, contents: Contents, maxBoxes: number): number {
  let remainingBoxes = maxBoxes
  for (let at = 0; at + 8 <= bytes.length && remainingBoxes >= 0; remainingBoxes--) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const short = bytes.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    if (at + head > bytes.length) break
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at
    if (size < head) break
    const box = bytes.subarray(at + head, at + size)
    if (type === 'trak') contents.tracks.push(createTrack())
    if (type === 'mdat') contents.data.push(box)
    if (CONTAINERS.includes(type)) remainingBoxes = readBoxes(box, contents, remainingBoxes)
    else readBox(type, box, contents.tracks)
    at += size
  }
  return remainingBoxes
}

const createTrack = (): Track => ({
  id: 0,
  isSound: false,
  timescale: 1,
  frame_seconds: null,
  frames: 0,
  bytes: 0,
  ticks: 0,
  isOpus: false,
  sizes: [],
})

/** Reads a box of the newest track, or of the track that a fragment names, which then is the newest. */
function readBox(type: string, box: Buffer, tracks: Track[]): void {
  const track = tracks.at(-1)
  if (!track || box.length < 8) return
  const isLong = box[0] === 1
  if (type === 'tkhd' && box.length >= 24) track.id = box.readUInt32BE(isLong ? 20 : 12)
  else if (type === 'mdhd' && box.length >= 24) track.timescale = box.readUInt32BE(isLong ? 20 : 12) || 1
  else if (type === 'hdlr') track.isSound = box.toString('latin1', 8, 12) === 'soun'
  else if (type === 'stsd') {
    track.isOpus = box.toString('latin1', 12, 16) === 'Opus'
    track.frame_seconds = readFrameSeconds(box.subarray(8))
  } else if (type === 'stsz') readSizes(box, track)
  else if (type === 'stts') track.ticks += sumDurations(box)
  else if (type === 'tfhd') moveToEnd(tracks, box.readUInt32BE(4))
  else if (type === 'trun') readFragment(box, track)
}

function moveToEnd(tracks: Track[], id: number): void {
  const index = tracks.findIndex((track) => track.id === id)
  if (index !== -1) tracks.push(...tracks.splice(index, 1))
}

function readSizes(box: Buffer, track: Track): void {
  if (box.length < 12) return
  const [size, count] = [box.readUInt32BE(4), box.readUInt32BE(8)]
  if (size > 0) {
    track.frames += count
    track.bytes += count * size
    return
  }
  for (let at = 12; at + 4 <= box.length && at < 12 + count * 4; at += 4) {
    track.frames += 1
    addSize(track, box.readUInt32BE(at))
  }
}

function addSize(track: Track, size: number): void {
  track.bytes += size
  if (track.sizes.length < MAX_PARTS) track.sizes.push(size)
}

/** Sums the lengths of the packets, if the data are nothing but these, one after the other; else 0. */
function sumOpusSeconds({ sizes }: Track, data: Buffer[]): number {
  const packets = Buffer.concat(data)
  let [seconds, at] = [0, 0]
  for (const size of sizes) {
    seconds += getOpusSeconds(packets[at] ?? 0, packets[at + 1] ?? 0)
    at += size
  }
  return at === packets.length ? seconds : 0
}

/** The sum of count × duration. */
function sumDurations(box: Buffer): number {
  let ticks = 0
  for (let at = 8; at + 8 <= box.length; at += 8) ticks += box.readUInt32BE(at) * box.readUInt32BE(at + 4)
  return ticks
}

/** Reads a run of frames in a fragment, whose flags tell which fields it has (ISO/IEC 14496-12 section 8.8.8). */
function readFragment(box: Buffer, track: Track): void {
  const flags = box.readUIntBE(1, 3)
  const count = box.readUInt32BE(4)
  const has = (flag: number): number => (flags & flag ? 4 : 0)
  const entry = has(0x100) + has(0x200) + has(0x400) + has(0x800)
  let at = 8 + has(1) + has(4)
  track.frames += count
  for (let frame = 0; entry > 0 && frame < count && at + entry <= box.length; frame++, at += entry) {
    if (flags & 0x100) track.ticks += box.readUInt32BE(at)
    if (flags & 0x200) addSize(track, box.readUInt32BE(at + has(0x100)))
  }
}

const AAC_SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]
/** Object types of MPEG-4 audio whose frames are half as long: low delay and enhanced low delay. */
const LOW_DELAY_TYPES = [23, 39]
const MP3_OBJECT_TYPES = [0x69, 0x6b]

/** Seconds of a frame of AAC or MP3, by the description of the decoder (ISO/IEC 14496-1 section 7.2.6); null for others. */
function readFrameSeconds(entry: Buffer): number | null {
  if (entry.toString('latin1', 4, 8) !== 'mp4a') return null
  const at = entry.indexOf('esds')
  if (at === -1) return null
  // Version and flags, then descriptors: a tag, a size in up to four bytes, the content.
  let position = at + 8
  const open = (tag: number): boolean => {
    if (entry[position] !== tag) return false
    position += 1
    while ((entry[position] ?? 0) >= 128) position += 1
    position += 1
    return true
  }
  if (!open(3)) return null
  const flags = entry[position + 2] ?? 0
  position += 3 + (flags & 128 ? 2 : 0) + (flags & 32 ? 2 : 0)
  if (flags & 64) position += 1 + (entry[position] ?? 0)
  if (!open(4)) return null
  const objectType = entry[position] ?? 0
  position += 13
  if (MP3_OBJECT_TYPES.includes(objectType)) return 1152 / (entry.readUInt16BE(32) || 44_100)
  return open(5) && position + 2 <= entry.length ? readAacFrameSeconds(entry.subarray(position)) : null
}

/** ISO/IEC 14496-3 section 1.6.2.1. */
function readAacFrameSeconds(config: Buffer): number | null {
  const bits = BigInt(`0x${config.toString('hex', 0, 8).padEnd(16, '0')}`)
  let remainingBits = 64n
  const read = (count: bigint): number => {
    remainingBits -= count
    return Number((bits >> remainingBits) & ((1n << count) - 1n))
  }
  let type = read(5n)
  if (type === 31) type = 32 + read(6n)
  const index = read(4n)
  const rate = index === 15 ? read(24n) : AAC_SAMPLE_RATES[index]
  if (!rate) return null
  return (LOW_DELAY_TYPES.includes(type) ? 512 : 1024) / rate
}
