import { calculatorText, modelsText } from '#web/text/models.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { formatFineAmount, formatTokenWindow } from '#web/core/numberFormat.ts'
import type { CostRow } from './costRows.ts'

const offerColumn: Column<CostRow> = {
  key: 'offer',
  title: calculatorText.offer,
  className: 'min-w-36',
  cell: ({ name, alias, cheapest, configured, tier }) => (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {name}
        {cheapest && <Badge tone="accent">{calculatorText.cheapest}</Badge>}
      </span>
      <span className="text-xs text-ink3">
        {alias}
        {!configured && ` · ${modelsText.unavailable}`}
        {tier !== null && ` · ${calculatorText.tier(formatTokenWindow(tier))}`}
      </span>
    </>
  ),
}

const createAmountColumn = (
  key: string,
  title: string,
  getAmount: (row: CostRow) => number,
  strong = false,
): Column<CostRow> => ({
  key,
  title,
  align: 'right',
  className: 'whitespace-nowrap',
  cell: (row) => (
    <>
      <span className={strong ? 'font-medium' : undefined}>
        {calculatorText.coins(formatFineAmount(getAmount(row)))}
      </span>
      <span className="block text-xs text-ink3">
        {calculatorText.yuan(formatFineAmount(getAmount(row) / 100))}
      </span>
    </>
  ),
})

const baseColumns = [
  offerColumn,
  createAmountColumn('total', calculatorText.each, ({ total }) => total, true),
]
const partColumns = [
  createAmountColumn('input', calculatorText.inputCost, ({ input }) => input),
  createAmountColumn('output', calculatorText.outputCost, ({ output }) => output),
]
const monthColumn = createAmountColumn('month', calculatorText.month, (row) => row.month ?? 0, true)

/** Shows the cost of every offer, in coins and in yuan below; with `parts` also input and output separately. */
export function CostTable({ rows, parts }: { rows: CostRow[]; parts: boolean }) {
  const monthly = rows.some((row) => row.month !== null)
  return (
    <Table
      label={calculatorText.results}
      columns={[...baseColumns, ...(monthly ? [monthColumn] : []), ...(parts ? partColumns : [])]}
      rows={rows}
      rowKey={({ key }) => key}
    />
  )
}
