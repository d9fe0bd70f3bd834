/** Lengths of a frame in the three modes, by the low bits of the configuration, ms (RFC 6716 section 3.1). */
const SILK_MS = [10, 20, 40, 60]
const HYBRID_MS = [10, 20]
const CELT_MS = [2.5, 5, 10, 20]

/** The most sound that one packet may have, and the most bits that Opus uses for a second of two channels. */
const MAX_OPUS_PACKET_SECONDS = 0.12
export const MAX_OPUS_BITS_PER_SECOND = 1_100_000

/** Length of a packet of Opus by its first two bytes, seconds (RFC 6716 section 3). */
export function getOpusSeconds(toc: number, secondByte: number): number {
  const config = toc >> 3
  const ms = config < 12 ? SILK_MS[config & 3] : config < 16 ? HYBRID_MS[config & 1] : CELT_MS[config & 3]
  const code = toc & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : secondByte & 63
  return Math.min(MAX_OPUS_PACKET_SECONDS, (frames * (ms ?? 0)) / 1000)
}
