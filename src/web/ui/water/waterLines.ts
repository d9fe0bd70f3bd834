/** One line of the water: an SVG path with its opacity and width. */
export type WaterLine = { d: string; opacity: number; width: number }

export type Channel = {
  /** Size of the drawing, in its own units. */
  width: number
  height: number
  lines: number
}

/** Number of steps along a line, at even distances from edge to edge. */
const STEPS = 18

/**
 * Draws lines that lie close together at the source, high on the right, and widen into a channel towards the lower left. The same
 * channel gives the same drawing.
 */
export function drawWaterLines({ width, height, lines }: Channel): WaterLine[] {
  return Array.from({ length: lines }, (_, index) => {
    const t = lines > 1 ? index / (lines - 1) : 0.5
    const points = Array.from({ length: STEPS + 1 }, (__, step): Point => {
      // A little beyond both edges, so that no line ends inside the picture.
      const u = -0.02 + (1.04 * step) / STEPS
      return { x: u * width, y: getDepth(u, t) * height }
    })
    const strength = Math.max(0, Math.sin(Math.PI * t))
    return {
      d: toPath(points),
      opacity: round(0.06 + 0.34 * strength ** 1.6, 3),
      width: round(0.6 + 0.7 * strength, 2),
    }
  })
}

type Point = { x: number; y: number }

/** Returns the depth of line `t` (0 uppermost, 1 lowest) at `u` (0 left edge, 1 right), as a share of the height. */
function getDepth(u: number, t: number): number {
  const rest = Math.max(0, 1 - u)
  const spread = 0.05 + rest ** 1.25 * 0.46
  const middle = 0.31 + rest * rest * 0.44 + Math.sin(u * 5.2 + 1) * 0.034
  const swell = Math.sin(u * 9 + t * 3.1) * 0.011 * (0.4 + 0.6 * rest)
  return middle + (t - 0.5) * spread + swell + Math.sin(u * 19 + t * 9) * 0.003
}

/** Returns a smooth curve through all points (Catmull-Rom, as cubic Béziers). */
function toPath(points: readonly Point[]): string {
  const [first] = points
  if (!first) return ''
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))] ?? first
  const curves = points.slice(1).map((end, index) => {
    const [before, start, after] = [at(index - 1), at(index), at(index + 2)]
    const c1 = { x: start.x + (end.x - before.x) / 6, y: start.y + (end.y - before.y) / 6 }
    const c2 = { x: end.x - (after.x - start.x) / 6, y: end.y - (after.y - start.y) / 6 }
    return `C${format(c1)} ${format(c2)} ${format(end)}`
  })
  return `M${format(first)}${curves.join('')}`
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const format = ({ x, y }: Point): string => `${round(x, 1)} ${round(y, 1)}`
