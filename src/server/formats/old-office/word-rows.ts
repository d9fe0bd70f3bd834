/** A row of a table: the texts of its cells, and the definition of its columns (MS-DOC 2.9.322). */
export type WordRow = { cells: string[]; definition?: Buffer }

/** Edges of columns that are not farther apart are one, in twentieths of a point: rows are drawn by hand. */
const TOLERANCE = 100
const CELL_BYTES = 20
const MAX_COLUMNS = 200

type Cell = { left: number; right: number; text: string; isBelow: boolean }

/** Puts the cells of all rows into the same columns; a cell that spans several is repeated in each place that it covers. */
export function spreadCells(rows: WordRow[]): string[][] {
  const measured = rows.map(measure)
  if (measured.some((row) => row === undefined)) return rows.map(({ cells }) => cells)
  const edges: number[] = []
  for (const edge of measured
    .flatMap((row) => row!.flatMap(({ left, right }) => [left, right]))
    .sort((a, b) => a - b))
    if (edge - (edges.at(-1) ?? -Infinity) > TOLERANCE) edges.push(edge)
  const columns = edges.length - 1
  // Tables side by side in one, or drawn without any order.
  if (columns > MAX_COLUMNS || columns > 2 * Math.max(...rows.map(({ cells }) => cells.length)))
    return rows.map(({ cells }) => cells)
  const table: string[][] = []
  for (const row of measured) {
    const above = table.at(-1)
    table.push(
      Array.from({ length: columns }, (_, column) => {
        const middle = (edges[column]! + edges[column + 1]!) / 2
        const cell = row!.find(({ left, right }) => left <= middle && middle < right)
        return (cell?.isBelow ? above?.[column] : cell?.text) ?? ''
      }),
    )
  }
  return table
}

function measure({ cells, definition }: WordRow): Cell[] | undefined {
  const count = definition?.[0] ?? 0
  if (!definition || count !== cells.length || definition.length < 1 + (count + 1) * 2) return undefined
  const spread: Cell[] = []
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
