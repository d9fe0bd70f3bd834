import { useState } from 'react'
import type { OrganizationBill } from '#contract/organizations/organizations.ts'
import { formatDateTime } from '#web/core/format.ts'
import { formatCount, formatFineAmount } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { organizationText as text } from '#web/text/account/organization.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { Button } from '#web/ui/Button.tsx'
import { download } from '#web/ui/download.ts'
import { Pager } from '#web/ui/layout/Pager.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'
import { withToast } from '#web/ui/withToast.ts'
import { fetchBills, useBills } from './organizationCalls.ts'

type Row = OrganizationBill & {
  /** The purpose and the model, in words. */
  what: string
}
const getName = ({ name }: OrganizationBill): string => name || text.gone

const columns: Column<Row>[] = [
  {
    key: 'time',
    title: statisticsText.time,
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ created_at }) => formatDateTime(created_at),
  },
  { key: 'member', title: text.member, cell: getName },
  { key: 'what', title: statisticsText.what, cell: ({ what }) => what },
  {
    key: 'tokens',
    title: statisticsText.tokens,
    align: 'right',
    cell: ({ input_tokens, output_tokens }) => formatCount(input_tokens + output_tokens),
  },
  {
    key: 'amount',
    title: statisticsText.amount,
    align: 'right',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ amount }) => formatFineAmount(amount),
  },
]

/** Shows the organization's charges, one per line: member, time, model. */
export function Bills({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const query = useBills(id, page)
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">{text.bills}</h2>
        <ExportButton id={id} />
      </div>
      <QueryView
        query={query}
        failed={text.billsFailed}
        skeleton={<Skeleton className="h-72" />}
        isEmpty={({ total }) => total === 0}
        empty={<p className="text-note text-ink3">{text.billsEmpty}</p>}
      >
        {(list) => (
          <>
            <BillTable items={list.items} />
            <Pager list={list} onPageChange={setPage} />
          </>
        )}
      </QueryView>
    </section>
  )
}

function BillTable({ items }: { items: OrganizationBill[] }) {
  const getModelName = useModelName()
  const isWide = useIsWideScreen()
  const rows = items.map((bill) => ({
    ...bill,
    what: `${statisticsText.kinds[bill.source] ?? bill.source} · ${getModelName(bill.model)}`,
  }))
  if (isWide) return <Table label={text.bills} columns={columns} rows={rows} rowKey={({ id }) => id} />
  return (
    <ul aria-label={text.bills} className="divide-y rounded-xl border">
      {rows.map((bill) => (
        <li key={bill.id} className="flex items-center justify-between gap-3 px-3.5 py-2">
          <div className="min-w-0">
            <p className="wrap-anywhere">{`${getName(bill)} · ${bill.what}`}</p>
            <p className="text-xs text-ink3 tabular-nums">{formatDateTime(bill.created_at)}</p>
          </div>
          <span className="shrink-0 tabular-nums">{formatFineAmount(bill.amount)}</span>
        </li>
      ))}
    </ul>
  )
}

function ExportButton({ id }: { id: string }) {
  const [pending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    const file = await withToast(() => fetchBills(id), {})
    if (file) download(file, text.billsName)
    setPending(false)
  }
  return (
    <Button size="sm" pending={pending} onClick={() => void save()}>
      {statisticsText.export}
    </Button>
  )
}
