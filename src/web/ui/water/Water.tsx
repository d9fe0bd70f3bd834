import { clsx } from 'clsx'
import { drawWaterLines } from './waterLines.ts'
import './water.css'

type Props = {
  /** Positions it in its parent, which must be positioned. */
  className?: string
  lines?: number
  /** The water runs in from its source once; otherwise it is there from the start. */
  arrives?: boolean
}

const WIDTH = 1440
const HEIGHT = 760

/** The drawn water behind a page's content. Decorative, so hidden from screen readers. */
export function Water({ className, lines = 32, arrives = false }: Props) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMaxYMid slice"
      fill="none"
      className={clsx('water pointer-events-none absolute', arrives && 'water-arrives', className)}
    >
      {drawWaterLines({ width: WIDTH, height: HEIGHT, lines }).map(({ d, opacity, width }) => (
        <path key={d} d={d} strokeOpacity={opacity} strokeWidth={width} />
      ))}
    </svg>
  )
}
