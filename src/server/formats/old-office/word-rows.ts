import { spreadCells } from '../text/grid.ts'
import type { GridCell } from '../text/grid.ts'

/** A row of a table: the texts of its cells, and the definition of its columns (MS-DOC 2.9.322). */
export type WordRow = { cells: string[]; definition?: Buffer }

/** Edges of columns that are not farther apart are one, in twentieths of a point. */
const EDGE_TOLERANCE = 100
const CELL_BYTES = 20

/** Returns the cells of all rows in the same columns, or as they are where a row does not say how wide they are. */
export function formatRows(rows: WordRow[]): string[][] {
  const measured = rows.map(measure)
  return measured.every((row) => row !== undefined)
    ? spreadCells(measured, EDGE_TOLERANCE)
    : rows.map(({ cells }) => cells)
}

function measure({ cells, definition }: WordRow): GridCell[] | undefined {
  const count = definition?.[0] ?? 0
  if (!definition || count !== cells.length || definition.length < 1 + (count + 1) * 2) return undefined
  const spread: GridCell[] = []
  for (const [index, text] of cells.entries()) {
    const flagsAt = 1 + (count + 1) * 2 + index * CELL_BYTES
    const flags = flagsAt + 2 <= definition.length ? definition.readUInt16LE(flagsAt) : 0
    const right = definition.readInt16LE(3 + index * 2)
    const previous = spread.at(-1)
    // A cell that is merged into the one on its left has no text of its own.
    if (flags & 2 && previous && !text) previous.right = right
    else
      spread.push({
        left: definition.readInt16LE(1 + index * 2),
        right,
        text,
        isBelow: Boolean(flags & 0x20) && !(flags & 0x40) && !text,
      })
  }
  return spread
}
