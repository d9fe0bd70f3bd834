import type { ModelCard, ModelOffer } from '#contract/models.ts'
import type { PriceUnit } from '#contract/price-units.ts'
import { coins } from '../core/format.ts'
import { modelsText } from '../text/models.ts'
import { Table, type Column } from '../ui/Table.tsx'
import { Badge } from './Badge.tsx'
import { milliseconds, percent, throughput } from './figures.ts'
import { discounted, lowestOffer } from './offers.ts'
import { shownInput, unitOf } from './units.ts'

const right = (key: string, title: string, cell: Column<ModelOffer>['cell']): Column<ModelOffer> => ({
  key,
  title,
  cell,
  align: 'right',
  className: 'whitespace-nowrap',
})

const inputColumn = (unit: PriceUnit) =>
  right('input', unit === 'token' ? modelsText.input : modelsText.offerPrice, ({ input }) =>
    coins(shownInput(unit, input)),
  )
const perCallColumn = (unit: PriceUnit) =>
  right('per_call', unit === 'picture' ? modelsText.offerPrice : modelsText.each, ({ per_call }) =>
    coins(per_call),
  )
const cacheWriteColumn = right('cache_write', modelsText.cacheWrite, ({ cache_write }) => coins(cache_write))
const writingColumns = [
  right('output', modelsText.output, ({ output }) => coins(output)),
  right('cached', modelsText.cached, ({ cached_input }) => coins(cached_input)),
  right('reasoning', modelsText.reasoning, ({ reasoning }) => coins(reasoning)),
]
const throughputColumn = right('throughput', modelsText.throughput, (offer) => throughput(offer.throughput))
const uptimeColumn = right('uptime', modelsText.uptime, ({ uptime }) => percent(uptime))
const latencyColumn = (title: string) => right('latency', title, ({ latency_ms }) => milliseconds(latency_ms))
/** Only what writes has a first word and a speed. */
const speedColumns = (writes: boolean) =>
  writes
    ? [latencyColumn(modelsText.latency), throughputColumn, uptimeColumn]
    : [latencyColumn(modelsText.response), uptimeColumn]

/** Every platform's price after discount, and how it did lately. Columns that say nothing of this model are left out. */
export function OfferTable({ card }: { card: ModelCard }) {
  const unit = unitOf(card)
  const lowest = card.offers.length > 1 ? lowestOffer(card)?.platform : undefined
  const byTokens = card.offers.some(({ input, output }) => input > 0 || output > 0)
  const writesCache = card.offers.some(({ cache_write, input }) => cache_write !== input)
  const byCall = card.offers.some(({ per_call }) => per_call > 0)
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
    ...(byTokens || !byCall ? [inputColumn(unit)] : []),
    ...(card.type === 'chat' ? writingColumns : []),
    ...(writesCache ? [cacheWriteColumn] : []),
    ...(byCall ? [perCallColumn(unit)] : []),
    ...speedColumns(card.type === 'chat'),
  ]
  return (
    <Table
      label={modelsText.offers}
      columns={columns}
      rows={card.offers.map((offer) => discounted(offer, card.discount))}
      rowKey={({ platform }) => platform}
    />
  )
}
