import { AnnotationMode, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFPageProxy } from 'pdfjs-dist'
import { multiply } from './boxes.ts'
import type { Region } from './regions.ts'

/** Thickest line that may be drawn through text, and shortest one, in the page's units. */
const MAX_THICKNESS = 3
const MIN_LENGTH = 3
/** A page with more lines is a drawing. */
const MAX_LINES = 1000
/** Numbers that follow the operators of a path: to move, to draw a line, a curve or a short curve, to close it. */
const OPERANDS = [2, 2, 6, 4, 0]
const PAINTING = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
])

/** Finds the thin horizontal and vertical lines of a page, which programs draw through text that is struck out. */
export async function findLines(page: PDFPageProxy): Promise<Region[]> {
  const operators = await page
    .getOperatorList({ annotationMode: AnnotationMode.DISABLE })
    // Drawings may be damaged where the text is not.
    .catch(() => ({ fnArray: [], argsArray: [] }))
  const { fnArray, argsArray } = operators
  const lines: Region[] = []
  let matrix = [1, 0, 0, 1, 0, 0]
  const saved: number[][] = []
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as unknown[] | null
    if (operator === OPS.save) saved.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix
    else if (operator === OPS.transform) matrix = multiply(matrix, args as number[])
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix)
      if (Array.isArray(args?.[0])) matrix = multiply(matrix, args[0] as number[])
    } else if (operator === OPS.constructPath && PAINTING.has(args?.[0] as number)) {
      const [path = null] = (args?.[1] ?? []) as (ArrayLike<number> | null)[]
      for (const rect of path ? listBounds(path, matrix) : [])
        if (isLine(rect)) lines.push({ rect, mark: 'strike', isLine: true })
    }
    if (lines.length > MAX_LINES) return []
  }
  return lines
}

const isLine = ([x, y, right, top]: Region['rect']): boolean =>
  Math.min(right - x, top - y) <= MAX_THICKNESS && Math.max(right - x, top - y) >= MIN_LENGTH

/** Returns the bounds of each part of a path; none for one with curves. */
function listBounds(path: ArrayLike<number>, matrix: number[]): Region['rect'][] {
  const bounds: Region['rect'][] = []
  for (let at = 0; at < path.length;) {
    const kind = path[at]!
    if (kind > 1 && kind < 4) return []
    if (kind < 2) {
      const [, , , , x, y] = multiply(matrix, [1, 0, 0, 1, path[at + 1]!, path[at + 2]!])
      const last = bounds.at(-1)
      if (kind === 0 || !last) bounds.push([x, y, x, y])
      else
        bounds[bounds.length - 1] = [
          Math.min(last[0], x),
          Math.min(last[1], y),
          Math.max(last[2], x),
          Math.max(last[3], y),
        ]
    }
    at += 1 + (OPERANDS[kind] ?? path.length)
  }
  return bounds
}
