import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '#contract/statistics/statistics.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { Button } from '#web/ui/Button.tsx'
import { download } from '#web/ui/download.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Pager } from '#web/ui/layout/Pager.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { BillDialog } from './BillDialog.tsx'
import { fetchExport, noFilter, useTransactions } from './queries.ts'
import type { Filter } from './queries.ts'
import { TransactionTable } from './TransactionTable.tsx'

/** Everything that came in and went out, by page, with the sums of all that is shown. */
export function Transactions() {
  const [filter, setFilter] = useState(noFilter)
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<Transaction | null>(null)
  const query = useTransactions(filter, page)
  const change = (changes: Partial<Filter>) => {
    setFilter({ ...filter, ...changes })
    setPage(1)
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Filters filter={filter} onChange={change} />
        <ExportButton filter={filter} />
      </div>
      <QueryView
        query={query}
        failed={statisticsText.failed}
        skeleton={<Skeleton className="h-96" />}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState
            icon={<ReceiptText size={28} />}
            title={statisticsText.empty}
            description={statisticsText.emptyHint}
          />
        }
      >
        {(list) => (
          <>
            <p className="text-note text-ink2 tabular-nums">
              {statisticsText.totals(
                formatCount(list.total),
                formatCoins(list.stats.total_in),
                formatCoins(list.stats.total_out),
                formatCount(list.stats.total_tokens),
              )}
            </p>
            <TransactionTable items={list.items} onOpen={setOpened} />
            <Pager list={list} onPageChange={setPage} />
          </>
        )}
      </QueryView>
      {opened && <BillDialog transaction={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (changes: Partial<Filter>) => void }) {
  const renderSelect = <N extends keyof Filter>(
    name: N,
    label: string,
    options: Partial<Record<string, string>>,
  ) => (
    <Select
      aria-label={label}
      value={filter[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
      className="w-auto"
    >
      <option value="">{`${label}：${statisticsText.all}`}</option>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  )
  return (
    <>
      {renderSelect('timeRange', statisticsText.range, statisticsText.ranges)}
      {renderSelect('action', statisticsText.action, statisticsText.actions)}
      {renderSelect('channel', statisticsText.channel, statisticsText.channels)}
    </>
  )
}

/** Saves what a filter leaves as a file. */
function ExportButton({ filter }: { filter: Filter }) {
  const [pending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    const file = await withToast(() => fetchExport(filter), {})
    if (file) download(file, statisticsText.exportName)
    setPending(false)
  }
  return (
    <Button pending={pending} onClick={() => void save()} className="ml-auto">
      {statisticsText.export}
    </Button>
  )
}
