import type { Sound } from './sound.ts'

/** kbit/s by index, for MPEG 1 layers I to III, then MPEG 2 layer I, and its layers II and III. */
const BITRATES: Record<string, number[]> = {
  '1.1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
/** Hz for MPEG 1; MPEG 2 has half of it, MPEG 2.5 a quarter. */
const SAMPLE_RATES = [44_100, 48_000, 32_000]
const AAC_SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

/** AAC with eight channels has no more; MP3 has 320 kbit/s. */
const MAX_BITS_PER_SECOND = { mp3: 350_000, aac: 2_000_000 }

type Frame = {
  bytes: number
  samples: number
  rate: number
  format: keyof typeof MAX_BITS_PER_SECOND
}

/** Most bytes between frames, such as tags in the wrong place. */
const MAX_SKIPPED_BYTES = 1_000_000

/** Measures MP3 (and layers I and II), or AAC in ADTS: frames that follow each other, with few other bytes between them. */
export function measureMpeg(bytes: Buffer): Sound | null {
  let [seconds, at, skippedBytes] = [0, 0, 0]
  let format: Frame['format'] | null = null
  while (at + 7 <= bytes.length) {
    const frame = readFrame(bytes, at)
    if (frame && (!format || frame.format === format) && isFollowed(bytes, at + frame.bytes, frame)) {
      format = frame.format
      seconds += frame.samples / frame.rate
      at += frame.bytes
      continue
    }
    at += 1
    skippedBytes += 1
    if (skippedBytes > MAX_SKIPPED_BYTES) return null
  }
  return format && { seconds, bytes: bytes.length, max_bits_per_second: MAX_BITS_PER_SECOND[format] }
}

/** A frame found by chance is hardly followed by another one like it. */
function isFollowed(bytes: Buffer, at: number, { format, rate }: Frame): boolean {
  if (at + 7 > bytes.length) return at <= bytes.length + 1
  const next = readFrame(bytes, at)
  // The last frame may be followed by a tag: ID3v1, APE, Lyrics3.
  return next
    ? next.format === format && next.rate === rate
    : /^(TAG|APE|LYR)/.test(bytes.toString('latin1', at, at + 3))
}

function readFrame(bytes: Buffer, at: number): Frame | null {
  const [kind, coding] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0]
  if (bytes[at] !== 0xff || (kind & 0xe0) !== 0xe0) return null
  const layer = 4 - ((kind >> 1) & 3)
  return layer === 4 ? readAdtsFrame(bytes, at, kind) : readMpegFrame(kind, coding, layer)
}

/** https://www.mp3-tech.org/programmer/frame_header.html */
function readMpegFrame(kind: number, coding: number, layer: number): Frame | null {
  const version = [4, 0, 2, 1][(kind >> 3) & 3]
  const [rateIndex, padding] = [(coding >> 2) & 3, (coding >> 1) & 1]
  const table = version === 1 ? `1.${layer}` : `2.${Math.min(layer, 2)}`
  const bitsPerSecond = (BITRATES[table]?.[coding >> 4] ?? 0) * 1000
  const baseRate = SAMPLE_RATES[rateIndex]
  if (!version || !baseRate || !bitsPerSecond) return null
  const rate = baseRate / version
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const bytes = (Math.floor((samples * bitsPerSecond) / (8 * slot * rate)) + padding) * slot
  return { bytes, samples, rate, format: 'mp3' }
}

/** https://wiki.multimedia.cx/index.php/ADTS */
function readAdtsFrame(bytes: Buffer, at: number, kind: number): Frame | null {
  const [b = 0, c = 0, d = 0, e = 0, f = 0] = bytes.subarray(at + 2, at + 7)
  const rate = AAC_SAMPLE_RATES[(b >> 2) & 15]
  const size = ((c & 3) << 11) | (d << 3) | (e >> 5)
  if ((kind & 0xf6) !== 0xf0 || !rate || size < 7) return null
  return { bytes: size, samples: 1024 * ((f & 3) + 1), rate, format: 'aac' }
}
