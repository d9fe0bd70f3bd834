import { clsx } from 'clsx'
import { drawWaterLines } from './waterLines.ts'
import './water.css'

type Props = {
  /** Where it lies in its parent, which is positioned. */
  className?: string
  lines?: number
  /** It runs in from the source once; else it is there. */
  arrives?: boolean
}

const WIDTH = 1440
const HEIGHT = 760

/** The drawn water behind a page's content. Says nothing, so nobody is told of it. */
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
