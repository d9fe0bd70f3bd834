import type { ModelCard, ModelOffer } from '#contract/models.ts'
import { getPriceUnit, type PriceUnit } from '#contract/price-units.ts'
import { formatCoins } from '#web/core/format.ts'
import { useIsOperator } from '#web/core/page.ts'
import { modelsText } from '#web/text/models.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { formatPercent, formatSeconds, formatThroughput } from '#web/core/numberFormat.ts'
import { applyDiscount, findCheapestOffer, listReachedOffers } from './offers.ts'
import { listPriceNotes } from './priceNotes.ts'
import { toDisplayPrice } from './priceUnits.ts'

const createNumberColumn = (
  key: string,
  title: string,
  cell: Column<ModelOffer>['cell'],
): Column<ModelOffer> => ({
  key,
  title,
  cell,
  align: 'right',
  className: 'whitespace-nowrap',
})

const createInputColumn = (unit: PriceUnit) =>
  createNumberColumn('input', unit === 'token' ? modelsText.input : modelsText.offerPrice, ({ input }) =>
    formatCoins(toDisplayPrice(unit, input)),
  )
const createPerCallColumn = (unit: PriceUnit) =>
  createNumberColumn(
    'per_call',
    unit === 'picture' ? modelsText.offerPrice : modelsText.each,
    ({ per_call }) => formatCoins(per_call),
  )
const cacheWriteColumn = createNumberColumn('cache_write', modelsText.cacheWrite, ({ cache_write }) =>
  formatCoins(cache_write),
)
const writingColumns = [
  createNumberColumn('output', modelsText.output, ({ output }) => formatCoins(output)),
  createNumberColumn('cached', modelsText.cached, ({ cached_input }) => formatCoins(cached_input)),
  createNumberColumn('reasoning', modelsText.reasoning, ({ reasoning }) => formatCoins(reasoning)),
]
const throughputColumn = createNumberColumn('throughput', modelsText.throughput, (offer) =>
  formatThroughput(offer.throughput),
)
const uptimeColumn = createNumberColumn('uptime', modelsText.uptime, ({ uptime }) => formatPercent(uptime))
const createLatencyColumn = (title: string) =>
  createNumberColumn('latency', title, ({ latency_ms }) => formatSeconds(latency_ms))
/** Only models that write have a time to the first word and a speed. */
const createSpeedColumns = (writes: boolean) =>
  writes
    ? [createLatencyColumn(modelsText.latency), throughputColumn, uptimeColumn]
    : [createLatencyColumn(modelsText.response), uptimeColumn]

/**
 * Shows every platform's price after discount, and its recent performance; operators also see platforms that cannot be called.
 * Columns without data for this model are left out.
 */
export function OfferTable({ card }: { card: ModelCard }) {
  const unit = getPriceUnit(card)
  const shownOffers = useIsOperator() ? card.offers : listReachedOffers(card)
  const lowest = shownOffers.length > 1 ? findCheapestOffer(card)?.platform : undefined
  const byTokens = shownOffers.some(({ input, output }) => input > 0 || output > 0)
  const writesCache = shownOffers.some(({ cache_write, input }) => cache_write !== input)
  const byCall = shownOffers.some(({ per_call }) => per_call > 0)
  const platformColumn: Column<ModelOffer> = {
    key: 'platform',
    title: modelsText.platform,
    className: 'whitespace-nowrap',
    cell: ({ alias, platform, configured }) => (
      <span className="inline-flex items-center gap-2">
        {alias}
        {platform === lowest && <Badge tone="accent">{modelsText.cheapest}</Badge>}
        {!configured && <Badge>{modelsText.unavailable}</Badge>}
      </span>
    ),
  }
  const columns = [
    platformColumn,
    ...(byTokens || !byCall ? [createInputColumn(unit)] : []),
    ...(card.type === 'chat' ? writingColumns : []),
    ...(writesCache ? [cacheWriteColumn] : []),
    ...(byCall ? [createPerCallColumn(unit)] : []),
    ...createSpeedColumns(card.type === 'chat'),
  ]
  const offers = shownOffers.map((offer) => applyDiscount(offer, card.discount))
  return (
    <>
      <Table label={modelsText.offers} columns={columns} rows={offers} rowKey={({ platform }) => platform} />
      <PriceNotes offers={offers} />
    </>
  )
}

/** Shows the prices that have no column: long inputs, sound, pictures, searches; by platform. */
function PriceNotes({ offers }: { offers: ModelOffer[] }) {
  const noted = offers.map((offer) => ({ ...offer, notes: listPriceNotes(offer) }))
  if (!noted.some(({ notes }) => notes.length)) return null
  return (
    <dl aria-label={modelsText.notes.title} className="mt-3 flex flex-col gap-2 text-note tabular-nums">
      {noted.map(
        ({ platform, alias, notes }) =>
          notes.length > 0 && (
            <div key={platform} className="flex flex-wrap gap-x-4 gap-y-0.5">
              <dt className="min-w-24 font-medium">{alias}</dt>
              {notes.map((note) => (
                <dd key={note} className="text-ink2">
                  {note}
                </dd>
              ))}
            </div>
          ),
      )}
    </dl>
  )
}
