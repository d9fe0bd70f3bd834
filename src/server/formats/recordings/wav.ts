import { MAX_PARTS } from './sound.ts'
import type { Sound } from './sound.ts'

/** Formats whose samples all have the same size: PCM, float, A-law, µ-law, and the extensible one, which names one of them. */
const PLAIN_FORMATS = [1, 3, 6, 7, 0xfffe]
const MAX_SAMPLE_RATE = 384_000
/** Eight channels of 32 bits at 96 kHz. */
const MAX_BITS_PER_SECOND = 25_000_000

const [FMT, DATA] = [0x666d7420, 0x64617461]

/** Sound in RIFF chunks, by the bytes that are there (https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html). */
export function measureWav(bytes: Buffer): Sound | null {
  let bytesPerSecond = 0
  let dataBytes = 0
  let parts = 0
  for (let at = 12; at + 8 <= bytes.length && parts < MAX_PARTS; parts++) {
    const id = bytes.readUInt32BE(at)
    const size = bytes.readUInt32LE(at + 4)
    const start = at + 8
    if (id === FMT && start + 16 <= bytes.length) bytesPerSecond = readBytesPerSecond(bytes.subarray(start))
    if (id === DATA) {
      const remainingBytes = bytes.length - start
      // A recorder that could not go back to the beginning leaves no size.
      dataBytes += size === 0 ? remainingBytes : Math.min(size, remainingBytes)
      if (size === 0) break
    }
    at = start + size + (size % 2)
  }
  if (bytesPerSecond === 0 || parts === MAX_PARTS) return null
  const seconds = dataBytes / bytesPerSecond
  return { seconds, bytes: bytes.length, max_bits_per_second: MAX_BITS_PER_SECOND }
}

/** 0 for any other format. */
function readBytesPerSecond(fmt: Buffer): number {
  const [format, channels, bits] = [fmt.readUInt16LE(0), fmt.readUInt16LE(2), fmt.readUInt16LE(14)]
  const rate = fmt.readUInt32LE(4)
  if (!PLAIN_FORMATS.includes(format) || rate > MAX_SAMPLE_RATE) return 0
  return channels * Math.ceil(bits / 8) * rate
}
