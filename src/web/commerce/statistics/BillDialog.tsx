import type { Transaction } from '#contract/statistics/statistics.ts'
import { formatDateTime } from '#web/core/format.ts'
import { formatDiscount, formatFineAmount, formatSeconds } from '#web/core/numberFormat.ts'
import { useModelName, usePlatformName } from '#web/conversations/model-picker/model-picker.tsx'
import { statisticsText } from '#web/text/credit/statistics.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useBill } from './queries.ts'

/** Shows a whole transaction; for a charge its counts, prices and sum. */
export function BillDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={statisticsText.billTitle}>
      <Bill id={transaction.id} />
    </Dialog>
  )
}

type Line = [name: string, value: string]
type Names = Record<'model' | 'platform', (id: string) => string>
type BillData = NonNullable<ReturnType<typeof useBill>['data']>

function Bill({ id }: { id: string }) {
  const query = useBill(id)
  const names = { model: useModelName(), platform: usePlatformName() }
  return (
    <QueryView query={query} failed={statisticsText.failed} skeleton={<Skeleton className="h-64" />}>
      {(bill) => (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-note tabular-nums">
          {listLines(bill, names).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink2">{name}</dt>
              <dd className="text-right wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </QueryView>
  )
}

/** Shows the id too, because programs name the model by it. */
const toNameAndId = (name: string, id: string): string => (name === id ? id : `${name}（${id}）`)
const formatNumber = (count: number): string => count.toLocaleString('zh-CN')

/** Lists the prices of tokens and of calls, which have different units. */
function listPrices(prices: Record<string, unknown>): Line[] {
  const { unitPrices, callPrice, priceNames } = statisticsText
  const tokens = Object.entries(priceNames).filter(([name]) => Number(prices[name]) > 0)
  const call = Number(prices.per_call)
  return [
    ...(tokens.length || !call
      ? [
          [
            unitPrices,
            tokens.map(([name, label]) => `${label} ${String(prices[name])}`).join('，') || '0',
          ] satisfies Line,
        ]
      : []),
    ...(call ? [[callPrice, String(call)] satisfies Line] : []),
  ]
}

/** Lists the details of a transaction. Partial figures of 0 are left out. */
function listLines({ bill, ...line }: BillData, names: Names): Line[] {
  const text = statisticsText
  const lines: (Line | false)[] = [
    [text.time, formatDateTime(line.created_at)],
    [text.what, bill ? (text.kinds[line.source ?? ''] ?? line.source ?? '') : text.actions[line.action]],
  ]
  if (bill) {
    const { prices, attempts } = bill
    lines.push(
      line.model !== null && [text.model, toNameAndId(names.model(line.model), line.model)],
      line.platform !== null && [text.platform, names.platform(line.platform)],
      [text.input, formatNumber(line.input_tokens)],
      bill.cached_tokens > 0 && [text.cached, formatNumber(bill.cached_tokens)],
      bill.cache_write_tokens > 0 && [text.cache_write, formatNumber(bill.cache_write_tokens)],
      [text.output, formatNumber(line.output_tokens)],
      bill.reasoning_tokens > 0 && [text.reasoning, formatNumber(bill.reasoning_tokens)],
      bill.units > 0 && [text.units, formatNumber(bill.units)],
      bill.times > 1 && [text.times, formatNumber(bill.times)],
      ...listPrices(prices),
      [text.discount, formatDiscount(bill.discount)],
      [text.computed, text.coins(formatFineAmount(bill.computed))],
      attempts.length > 1 && [
        text.attempts,
        attempts
          .map(({ platform, code }) => `${names.platform(platform)} ${code ?? text.succeeded}`)
          .join('，'),
      ],
      bill.usage_source === 'counted' && [text.tokens, text.counted],
      [text.duration, formatSeconds(bill.duration_ms)],
    )
  }
  const movementLabel = line.amount > 0 ? text.received : text.charged
  lines.push(
    [movementLabel, text.coins(formatFineAmount(Math.abs(line.amount)))],
    bill !== null && bill.gift > 0 && [text.paidByGift, text.coins(formatFineAmount(bill.gift))],
    [text.id, line.id],
  )
  return lines.filter((one) => one !== false)
}
