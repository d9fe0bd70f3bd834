import { ReceiptText, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '#contract/statistics/statistics.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { useUrlState } from '#web/core/useUrlState.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { Button } from '#web/ui/Button.tsx'
import { download } from '#web/ui/download.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Pager } from '#web/ui/layout/Pager.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { BillDialog } from './BillDialog.tsx'
import { fetchExport, useTransactions } from './queries.ts'
import { TransactionFilters } from './TransactionFilters.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import {
  isFiltered,
  noFilter,
  parseFilter,
  serializeFilter,
  type TransactionFilter,
} from './transactionFilter.ts'

/** Shows everything that came in and went out, by page, with the totals of the filtered list. */
export function Transactions() {
  const [filter, setFilter] = useUrlState(parseFilter, serializeFilter)
  const [openTransaction, setOpenTransaction] = useState<Transaction | null>(null)
  const query = useTransactions(filter)
  const isNarrowed = isFiltered(filter) || filter.page > 1
  return (
    <div className="flex flex-col gap-4">
      <TransactionFilters
        filter={filter}
        onChange={(changes) => setFilter({ ...filter, page: 1, ...changes })}
      >
        <ExportButton filter={filter} />
      </TransactionFilters>
      <QueryView
        query={query}
        failed={statisticsText.failed}
        skeleton={<Skeleton className="h-96" />}
        isEmpty={({ items }) => items.length === 0}
        empty={
          isNarrowed ? (
            <EmptyState
              icon={<SearchX size={28} />}
              title={statisticsText.empty}
              description={statisticsText.emptyHint}
              action={<Button onClick={() => setFilter(noFilter)}>{statisticsText.clear}</Button>}
            />
          ) : (
            <EmptyState
              icon={<ReceiptText size={28} />}
              title={statisticsText.none}
              description={statisticsText.noneHint}
            />
          )
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
            <TransactionTable items={list.items} onOpen={setOpenTransaction} />
            <Pager list={list} onPageChange={(page) => setFilter({ ...filter, page })} />
          </>
        )}
      </QueryView>
      {openTransaction && (
        <BillDialog transaction={openTransaction} onClose={() => setOpenTransaction(null)} />
      )}
    </div>
  )
}

/** Saves the filtered transactions as a file. */
function ExportButton({ filter }: { filter: TransactionFilter }) {
  const [pending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    const file = await withToast(() => fetchExport(filter), {})
    if (file) download(file, statisticsText.exportName)
    setPending(false)
  }
  return (
    <Button pending={pending} onClick={() => void save()}>
      {statisticsText.export}
    </Button>
  )
}
