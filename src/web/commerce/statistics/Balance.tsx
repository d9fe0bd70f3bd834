import { Link } from '@inertiajs/react'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins, formatDateTime } from '#web/core/format.ts'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { useBalance } from './queries.ts'

/** Shows the person's balance and spending, and links to more. */
export function Balance({ user }: { user: UserInfo }) {
  const { data } = useBalance()
  const { level_name, level_ends_at } = user
  const { balance, gift_balance } = data ?? user
  const lines = [
    ...(gift_balance > 0
      ? ([
          [statisticsText.gift, statisticsText.coins(formatCoins(gift_balance))],
          [statisticsText.rest, statisticsText.coins(formatCoins(balance - gift_balance))],
        ] as const)
      : []),
    [
      statisticsText.level,
      level_ends_at
        ? `${level_name}，${statisticsText.levelUntil(formatDateTime(level_ends_at).slice(0, 10))}`
        : level_name,
    ],
    [statisticsText.week, data ? statisticsText.coins(formatCoins(data.week)) : '…'],
    [statisticsText.total, data ? statisticsText.coins(formatCoins(data.total)) : '…'],
  ] as const
  return (
    <section className="flex max-w-xl flex-col gap-5 rounded-2xl border p-6">
      <div>
        <p className="text-note text-ink2">{statisticsText.balance}</p>
        <p className="mt-1 text-3xl font-semibold tabular-nums">
          {statisticsText.coins(formatCoins(balance))}
        </p>
        <p className="mt-2 text-note text-ink2">{statisticsText.balanceHint}</p>
        {gift_balance > 0 && <p className="mt-1 text-note text-ink2">{statisticsText.giftHint}</p>}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-note tabular-nums">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink2">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Link href="/credit" className={buttonClass({ variant: 'primary' })}>
          {statisticsText.recharge}
        </Link>
        <Link href="/profile/transactions" className={buttonClass()}>
          {statisticsText.transactions}
        </Link>
      </div>
    </section>
  )
}
