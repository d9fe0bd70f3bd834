/** A cell by the edges of its columns, in any unit, from left to right. */
export type GridCell = {
  left: number
  right: number
  text: string
  /** The cell is a part of the one above it. */
  isBelow?: boolean
}

const MAX_COLUMNS = 200

/**
 * Puts the cells of all rows into the same columns; a cell that spans several is repeated in each place that it covers. Edges
 * that are not farther apart than `tolerance` are one: rows are drawn by hand.
 */
export function spreadCells(rows: GridCell[][], tolerance: number): string[][] {
  const edges: number[] = []
  for (const edge of rows
    .flatMap((row) => row.flatMap(({ left, right }) => [left, right]))
    .sort((a, b) => a - b))
    if (edge - (edges.at(-1) ?? -Infinity) > tolerance) edges.push(edge)
  const middles = edges.slice(1).map((edge, column) => (edges[column]! + edge) / 2)
  const findCell = (row: GridCell[], middle: number): GridCell | undefined =>
    row.find(({ left, right }) => left <= middle && middle < right)
  const hasLost = (row: GridCell[]): boolean =>
    row.some((cell) => cell.text !== '' && !middles.some((middle) => findCell(row, middle) === cell))
  const most = rows.reduce((max, row) => Math.max(max, row.length), 0)
  // Tables side by side in one, drawn without any order, or with columns that are too narrow to be told apart.
  if (middles.length > MAX_COLUMNS || middles.length > 2 * most || rows.some(hasLost))
    return rows.map((row) => row.map(({ text }) => text))
  const table: string[][] = []
  for (const row of rows) {
    const above = table.at(-1)
    table.push(
      middles.map((middle, column) => {
        const cell = findCell(row, middle)
        return (cell?.isBelow ? above?.[column] : cell?.text) ?? ''
      }),
    )
  }
  return table
}
