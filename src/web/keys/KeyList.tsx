import type { ReactNode } from 'react'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'
import { keysText } from '../text/keys.ts'
import { Table, type Column } from '../ui/Table.tsx'

type Row = { uuid: string }
type Props<R> = {
  label: string
  /** The first one names the row. */
  columns: Column<R>[]
  rows: R[]
  actions: (row: R) => ReactNode
}

/** Keys as a table; on phones, where a table would have to be pushed about, as a list with the same cells. */
export function KeyList<R extends Row>({ label, columns, rows, actions }: Props<R>) {
  const wide = useIsWideScreen()
  if (wide) {
    const last = { key: 'actions', title: keysText.actions, cell: actions, align: 'right' as const }
    return <Table label={label} columns={[...columns, last]} rows={rows} rowKey={({ uuid }) => uuid} />
  }
  const [first, ...rest] = columns
  return (
    <ul aria-label={label} className="divide-y rounded-xl border">
      {rows.map((row) => (
        <li key={row.uuid} className="px-3.5 py-3">
          <div className="flex items-start justify-between gap-2">
            {first?.cell(row)}
            {actions(row)}
          </div>
          <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-note tabular-nums">
            {rest.map(({ key, title, cell }) => (
              <div key={key} className="contents">
                <dt className="text-ink3">{title}</dt>
                <dd className="text-right">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
