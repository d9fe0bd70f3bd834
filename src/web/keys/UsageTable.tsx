import type { UsagePeriods } from '#contract/keys.ts'
import { fine, short } from '../models/figures.ts'
import { keysText } from '../text/keys.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Table, type Column } from '../ui/Table.tsx'
import { useKeyUsage } from './queries.ts'

type Row = UsagePeriods & { model: string }

const period = (key: keyof UsagePeriods): Column<Row> => ({
  key,
  title: keysText[key],
  align: 'right',
  className: 'whitespace-nowrap',
  cell: (row) => {
    const { amount, requests, tokens } = row[key]
    return (
      <>
        {fine(amount)}
        <span className="block text-xs text-ink3">{keysText.figures(short(requests), short(tokens))}</span>
      </>
    )
  },
})

const columns: Column<Row>[] = [
  { key: 'model', title: keysText.model, cell: ({ model }) => <span className="break-all">{model}</span> },
  period('today'),
  period('week'),
  period('month'),
]

/** Coins, calls and tokens of a key, whole and by model. */
export function UsageTable({ id }: { id: string }) {
  const { data, error, refetch } = useKeyUsage(id)
  if (error) {
    const retry = <Button onClick={() => void refetch()}>{keysText.retry}</Button>
    return <EmptyState title={keysText.usageFailed} description={error.message} action={retry} />
  }
  if (!data) return <Skeleton className="h-24" />
  if (!data.models.length) return <EmptyState title={keysText.noUsage} description={keysText.noUsageHint} />
  const { models, ...total } = data
  const rows = [{ ...total, model: keysText.total }, ...models]
  return <Table label={keysText.usage} columns={columns} rows={rows} rowKey={(row) => row.model} />
}
