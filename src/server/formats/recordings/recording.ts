import { measureFlac } from './flac.ts'
import { measureMpeg } from './mpeg.ts'
import { measureMp4 } from './mp4.ts'
import { measureOgg } from './ogg.ts'
import type { Sound } from './sound.ts'
import { measureWav } from './wav.ts'
import { measureWebm } from './webm.ts'

/** A day: more than the largest file can hold. */
const MAX_SECONDS = 86_400

/** Whole ms from 1; null for bytes that are no recording, or that are more than sound of its length can have. */
export function measureRecording(bytes: Buffer): number | null {
  const sound = measureSound(bytes)
  if (!sound || !(sound.seconds > 0 && sound.seconds <= MAX_SECONDS)) return null
  const minSeconds = (sound.bytes * 8) / sound.max_bits_per_second
  // The last bit of a sum must not add a millisecond.
  return sound.seconds < minSeconds ? null : Math.ceil(sound.seconds * 1000 - 1e-6)
}

function measureSound(bytes: Buffer): Sound | null {
  const magic = bytes.toString('latin1', 0, 12)
  if (/^(RIFF|RF64).{4}WAVE/s.test(magic)) return measureWav(bytes)
  if (magic.startsWith('OggS')) return measureOgg(bytes)
  if (magic.startsWith('\x1a\x45\xdf\xa3')) return measureWebm(bytes)
  if (/^.{4}(ftyp|moov|mdat|free|skip|wide)/s.test(magic)) return measureMp4(bytes)
  const start = skipId3(bytes)
  const body = bytes.subarray(start)
  return body.toString('latin1', 0, 4) === 'fLaC' ? measureFlac(body) : measureMpeg(body)
}

/** Offset at which the sound begins after ID3v2 tags (https://id3.org/id3v2.4.0-structure). */
function skipId3(bytes: Buffer): number {
  let at = 0
  while (bytes.toString('latin1', at, at + 3) === 'ID3' && at + 10 <= bytes.length) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 6, at + 10)
    at += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127)
  }
  return Math.min(at, bytes.length)
}
