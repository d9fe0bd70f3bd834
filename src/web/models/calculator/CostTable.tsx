import { calculatorText, modelsText } from '../../text/models.ts'
import { Table, type Column } from '../../ui/Table.tsx'
import { Badge } from '../Badge.tsx'
import { fine } from '../figures.ts'
import type { CostRow } from './rows.ts'

const offerColumn: Column<CostRow> = {
  key: 'offer',
  title: calculatorText.offer,
  className: 'min-w-36',
  cell: ({ name, alias, cheapest, configured }) => (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {name}
        {cheapest && <Badge tone="accent">{calculatorText.cheapest}</Badge>}
      </span>
      <span className="text-xs text-ink3">
        {alias}
        {!configured && ` · ${modelsText.unavailable}`}
      </span>
    </>
  ),
}

const amount = (
  key: string,
  title: string,
  of: (row: CostRow) => number,
  strong = false,
): Column<CostRow> => ({
  key,
  title,
  align: 'right',
  className: 'whitespace-nowrap',
  cell: (row) => (
    <>
      <span className={strong ? 'font-medium' : undefined}>{calculatorText.coins(fine(of(row)))}</span>
      <span className="block text-xs text-ink3">{calculatorText.yuan(fine(of(row) / 100))}</span>
    </>
  ),
})

const each = [offerColumn, amount('total', calculatorText.each, ({ total }) => total, true)]
const byPart = [
  amount('input', calculatorText.inputCost, ({ input }) => input),
  amount('output', calculatorText.outputCost, ({ output }) => output),
]
const month = amount('month', calculatorText.month, (row) => row.month ?? 0, true)

/** What every offer costs, in coins and in yuan below; with `parts` input and output apart too. */
export function CostTable({ rows, parts }: { rows: CostRow[]; parts: boolean }) {
  const monthly = rows.some((row) => row.month !== null)
  return (
    <Table
      label={calculatorText.results}
      columns={[...each, ...(monthly ? [month] : []), ...(parts ? byPart : [])]}
      rows={rows}
      rowKey={({ key }) => key}
    />
  )
}
