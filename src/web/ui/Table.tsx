import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand on the right, with tabular figures. */
  align?: 'right'
  className?: string
}

type Props<Row> = {
  /** The table's accessible name. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
}

/** A table that scrolls sideways inside its own frame, which is focusable for that. */
export function Table<Row>({ label, columns, rows, rowKey }: Props<Row>) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className="overflow-x-auto rounded-xl border">
      <table className="w-full border-collapse text-note tabular-nums">
        <thead>
          <tr className="bg-fill text-left text-ink2">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={clsx('px-3.5 py-2 font-medium whitespace-nowrap', column.align && 'text-right')}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-t">
              {columns.map((column) => (
                <td
                  key={column.key}
                  className={clsx('px-3.5 py-2 align-top', column.align && 'text-right', column.className)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
