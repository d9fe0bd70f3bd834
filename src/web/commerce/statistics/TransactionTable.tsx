import type { Transaction } from '#contract/statistics/statistics.ts'
import { formatDateTime } from '#web/core/format.ts'
import { formatCount, formatFineAmount } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'

const describe = ({ action, source, model }: Transaction, getModelName: (id: string) => string): string =>
  action === 'charge'
    ? [statisticsText.kinds[source ?? ''] ?? source, model && getModelName(model)].filter(Boolean).join(' · ')
    : statisticsText.actions[action]

const formatSigned = (amount: number): string =>
  `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${formatFineAmount(Math.abs(amount))}`

const formatTokens = ({ input_tokens, output_tokens }: Transaction): string =>
  input_tokens + output_tokens ? formatCount(input_tokens + output_tokens) : '—'

type Props = { items: Transaction[]; onOpen: (transaction: Transaction) => void }

/** Lists transactions, one per line, each of which opens its bill; on phones as a list. */
export function TransactionTable({ items, onOpen }: Props) {
  const isWide = useIsWideScreen()
  const getModelName = useModelName()
  const renderOpen = (transaction: Transaction) => {
    const time = formatDateTime(transaction.created_at)
    return (
      <button
        type="button"
        aria-label={statisticsText.open(time)}
        onClick={() => onOpen(transaction)}
        className="text-left wrap-anywhere underline decoration-line2 underline-offset-4 hover:decoration-ink max-md:min-h-11"
      >
        {describe(transaction, getModelName)}
      </button>
    )
  }
  const columns: Column<Transaction>[] = [
    {
      key: 'time',
      title: statisticsText.time,
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ created_at }) => formatDateTime(created_at),
    },
    { key: 'what', title: statisticsText.what, className: 'min-w-48', cell: renderOpen },
    {
      key: 'channel',
      title: statisticsText.channel,
      className: 'whitespace-nowrap',
      cell: ({ channel }) => (channel ? statisticsText.channels[channel] : '—'),
    },
    { key: 'tokens', title: statisticsText.tokens, align: 'right', cell: formatTokens },
    {
      key: 'amount',
      title: statisticsText.amount,
      align: 'right',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ amount }) => formatSigned(amount),
    },
  ]
  if (isWide)
    return (
      <Table label={statisticsText.transactions} columns={columns} rows={items} rowKey={({ id }) => id} />
    )
  return (
    <ul aria-label={statisticsText.transactions} className="divide-y rounded-xl border">
      {items.map((item) => (
        <li key={item.id} className="flex items-center justify-between gap-3 px-3.5 py-1.5">
          <div className="min-w-0">
            {renderOpen(item)}
            <p className="text-xs text-ink3 tabular-nums">{formatDateTime(item.created_at)}</p>
          </div>
          <span className="shrink-0 tabular-nums">{formatSigned(item.amount)}</span>
        </li>
      ))}
    </ul>
  )
}
