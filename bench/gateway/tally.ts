import type { StreamStats } from './streams.ts'

/** Counts the chunks of streams whose text says when the upstream wrote each chunk and its number: "{ms}:{number} ". */
export function createTally(chunks: number) {
  const latencies: number[] = []
  let [wrong, broken] = [0, 0]
  return {
    open() {
      let [next, done] = [0, false]
      return {
        read(text: string): void {
          const now = performance.timeOrigin + performance.now()
          for (const [, written, number] of text.matchAll(/([\d.]+):(\d+) /g)) {
            latencies.push(now - Number(written))
            if (Number(number) !== next) wrong += 1
            next = Number(number) + 1
          }
        },
        /** The stream has said that it is complete. */
        end: (): void => void (done = true),
        close(): void {
          wrong += Math.max(0, chunks - next)
          if (!done) broken += 1
        },
      }
    },
    result(): StreamStats {
      const sorted = Float64Array.from(latencies).sort()
      const quantile = (share: number): number =>
        Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
      return { chunks: sorted.length, wrong, broken, p50_ms: quantile(0.5), p99_ms: quantile(0.99) }
    },
  }
}
