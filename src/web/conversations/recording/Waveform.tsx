type Props = {
  /** Loudness of each bar, 0 to 1. */
  peaks: readonly number[]
  /** The played part, 0 to 1. */
  played?: number
  className?: string
}

const HEIGHT = 24
const toPath = (peaks: readonly number[], from: number, to: number): string =>
  peaks
    .slice(from, to)
    .map((peak, n) => {
      const length = Math.max(0.01, peak * (HEIGHT - 4))
      return `M${from + n + 0.5} ${(HEIGHT - length) / 2}v${length}`
    })
    .join('')

/** Shows a recording's loudness over time as bars; the played part is in the accent colour. */
export function Waveform({ peaks, played = 0, className = '' }: Props) {
  const end = Math.round(played * peaks.length)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${peaks.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      fill="none"
      strokeWidth={2}
      strokeLinecap="round"
      className={className}
    >
      <path d={toPath(peaks, 0, end)} vectorEffect="non-scaling-stroke" className="stroke-accent" />
      <path d={toPath(peaks, end, peaks.length)} vectorEffect="non-scaling-stroke" className="stroke-ink3" />
    </svg>
  )
}
