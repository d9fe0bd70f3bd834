/** A recording for playback: its data, length and loudness over time. */
export type Sound = {
  blob: Blob
  seconds: number
  /** 0 to 1, from beginning to end. */
  peaks: readonly number[]
}

const PEAKS = 40
/** Enough to measure loudness; ten minutes are 20 MB then. */
const SAMPLE_RATE = 8_000

/** Decodes a recording to find its length, which browsers do not store in it. Rejects if the browser does not know the format. */
export async function readSound(blob: Blob): Promise<Sound> {
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE)
  const decoded = await context.decodeAudioData(await blob.arrayBuffer())
  return { blob, seconds: decoded.duration, peaks: toPeaks(decoded.getChannelData(0)) }
}

/** Returns the peak of each of 40 equal parts, relative to the loudest. */
export function toPeaks(samples: ArrayLike<number>): number[] {
  const peaks = Array.from({ length: PEAKS }, (_, n) => {
    const end = Math.ceil(((n + 1) * samples.length) / PEAKS)
    let peak = 0
    for (let at = Math.floor((n * samples.length) / PEAKS); at < end; at++)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks)
  return loudest > 0 ? peaks.map((peak) => peak / loudest) : peaks
}
