type Props = {
  /** 0 to 1, one a bar. */
  peaks: readonly number[]
  /** How much of it was played, 0 to 1. */
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

/** How loud a recording is where, as bars over its whole width; what was played is in the accent's colour. */
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
