import { MAX_PARTS } from './sound.ts'
import type { Sound } from './sound.ts'

const [BLOCK_HEADER_BYTES, MAX_BITS_PER_SECOND] = [4, 25_000_000]

/** Measures FLAC by its frames: the number of samples in its header may be anything (RFC 9639). */
export function measureFlac(bytes: Buffer): Sound | null {
  let at = 4
  let rate = 0
  for (let last = false; !last && at + BLOCK_HEADER_BYTES <= bytes.length;) {
    const head = bytes[at] ?? 0
    last = head >= 128
    const start = at + BLOCK_HEADER_BYTES
    if ((head & 127) === 0 && start + 18 <= bytes.length) rate = bytes.readUIntBE(start + 10, 3) >> 4
    at = start + bytes.readUIntBE(at + 1, 3)
  }
  if (rate === 0) return null
  const samples = countSamples(bytes, at)
  if (!samples) return null
  return { seconds: samples / rate, bytes: bytes.length - at, max_bits_per_second: MAX_BITS_PER_SECOND }
}

/** Null where too many bytes look like a frame. */
function countSamples(bytes: Buffer, from: number): number | null {
  let samples = 0
  let parts = 0
  /** Properties that all frames of a file have in common: numbering of blocks, rate, size of a sample. */
  let common: string | null = null
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) continue
    parts += 1
    if (parts > MAX_PARTS) return null
    const frame = readFrameHeader(bytes, at)
    if (frame && (common ?? frame.common) === frame.common) {
      common = frame.common
      samples += frame.samples
    }
  }
  return samples
}

/** Reads the header of a frame, which ends with a checksum of its own; null for any other bytes. */
function readFrameHeader(bytes: Buffer, at: number): { samples: number; common: string } | null {
  const [kind = 0, sizes = 0, channels = 0, first = 0] = bytes.subarray(at + 1, at + 5)
  const [sizeCode, rateCode, bitsCode] = [sizes >> 4, sizes & 15, (channels >> 1) & 7]
  if (sizeCode === 0 || rateCode === 15) return null
  if (channels >> 4 > 10 || bitsCode === 3 || channels & 1) return null
  // The number of the frame is coded like a character of UTF-8.
  const numberBytes = first < 0x80 ? 1 : Math.clz32(~(first << 24))
  if (numberBytes > 7) return null
  const sizeAt = at + 4 + numberBytes
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0
  const end = sizeAt + sizeBytes + rateBytes
  if (end >= bytes.length || getCrc8(bytes.subarray(at, end)) !== bytes[end]) return null
  const samples = sizeBytes ? bytes.readUIntBE(sizeAt, sizeBytes) + 1 : getBlockSize(sizeCode)
  return { samples, common: `${kind} ${rateCode} ${bitsCode}` }
}

function getBlockSize(code: number): number {
  if (code === 1) return 192
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8)
}

/** Has the polynomial x^8 + x^2 + x + 1. */
function getCrc8(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 128 ? ((crc << 1) ^ 7) & 255 : crc << 1
  }
  return crc
}
