import { Link } from '@inertiajs/react'
import { useState, type ReactNode } from 'react'
import type { Transaction } from '#contract/statistics/statistics.ts'
import type { DailyMetric } from '#contract/stats.ts'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatCount, formatFineAmount } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { BillDialog } from './BillDialog.tsx'
import { useDashboard, useTransactions } from './queries.ts'
import { noFilter } from './transactionFilter.ts'
import { TransactionTable } from './TransactionTable.tsx'
import { WeekBars } from './WeekBars.tsx'

/** Formats coins in a figure: two decimals, shortened from 1000 on. */
const formatAmount = (amount: number): string => (amount < 1000 ? formatCoins(amount) : formatCount(amount))

/** Shows today beside yesterday, the week by day and by model, the balance and the latest transactions. */
export function Dashboard({ user }: { user: UserInfo }) {
  const query = useDashboard()
  return (
    <div className="flex flex-col gap-6">
      <QueryView query={query} failed={statisticsText.failed} skeleton={<Skeleton className="h-96" />}>
        {({ chats, amounts, models, charges, tokens }) => (
          <>
            <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
              <Figure title={statisticsText.requests} metric={chats} format={formatCount} />
              <Figure title={statisticsText.spent} metric={amounts} format={formatAmount} />
              <Figure title={statisticsText.tokensToday} metric={chats.tokens} format={formatCount} />
              <Card title={statisticsText.balance} value={formatAmount(user.balance)}>
                <Link href="/credit" className="underline underline-offset-4">
                  {statisticsText.recharge}
                </Link>
              </Card>
            </div>
            <div className="grid gap-3 md:grid-cols-2">
              <WeekBars
                title={statisticsText.charges}
                days={charges.map(({ day, amount }) => ({ day, value: amount }))}
                format={formatAmount}
              />
              <WeekBars
                title={statisticsText.weeklyTokens}
                days={tokens.map(({ day, input_tokens, output_tokens }) => ({
                  day,
                  value: input_tokens + output_tokens,
                }))}
                format={formatCount}
              />
            </div>
            <ModelAmounts models={models} />
          </>
        )}
      </QueryView>
      <Recent />
    </div>
  )
}

function Card({ title, value, children }: { title: string; value: string; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col rounded-xl border p-4 tabular-nums">
      <span className="text-note text-ink2">{title}</span>
      <span className="mt-1 truncate text-2xl font-semibold">{value}</span>
      <span className="mt-1 text-xs text-ink2">{children}</span>
    </div>
  )
}

function Figure({
  title,
  metric: { value, old_value, grow_rate },
  format,
}: {
  title: string
  metric: DailyMetric
  format: (value: number) => string
}) {
  return (
    <Card title={title} value={format(value)}>
      {old_value === 0
        ? statisticsText.yesterday(format(old_value))
        : statisticsText.grew(`${grow_rate > 0 ? '+' : ''}${grow_rate}%`)}
    </Card>
  )
}

type Models = NonNullable<ReturnType<typeof useDashboard>['data']>['models']

function ModelAmounts({ models }: { models: Models }) {
  const getModelName = useModelName()
  const max = Math.max(...models.map(({ amount }) => amount), 0)
  return (
    <section aria-label={statisticsText.byModel} className="flex flex-col gap-3 rounded-xl border p-4">
      <h2 className="text-note font-medium">{statisticsText.byModel}</h2>
      {models.length ? (
        <ul className="flex flex-col gap-3 text-note tabular-nums">
          {models.slice(0, 8).map(({ model, amount, requests }) => (
            <li key={model} className="flex flex-col gap-1.5">
              <p className="flex justify-between gap-4">
                <span className="min-w-0 break-all">{getModelName(model)}</span>
                <span className="shrink-0">
                  {statisticsText.coins(formatFineAmount(amount))} ·{' '}
                  {statisticsText.requestCount(formatCount(requests))}
                </span>
              </p>
              <div aria-hidden className="h-1 overflow-hidden rounded-full bg-fill2">
                <div
                  style={{ width: `${max ? (amount / max) * 100 : 0}%` }}
                  className="h-full rounded-full bg-accent"
                />
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-note text-ink2">{statisticsText.noUsage}</p>
      )}
    </section>
  )
}

function Recent() {
  const query = useTransactions(noFilter)
  const [openTransaction, setOpenTransaction] = useState<Transaction | null>(null)
  return (
    <section aria-label={statisticsText.recent} className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <h2 className="text-note font-medium">{statisticsText.recent}</h2>
        <Link href="/profile/transactions" className={buttonClass({ size: 'sm', variant: 'ghost' })}>
          {statisticsText.more}
        </Link>
      </div>
      <QueryView
        query={query}
        failed={statisticsText.failed}
        skeleton={<Skeleton className="h-40" />}
        compact
      >
        {({ items }) => <TransactionTable items={items.slice(0, 5)} onOpen={setOpenTransaction} />}
      </QueryView>
      {openTransaction && (
        <BillDialog transaction={openTransaction} onClose={() => setOpenTransaction(null)} />
      )}
    </section>
  )
}
