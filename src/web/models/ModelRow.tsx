import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { getPriceUnit } from '#contract/price-units.ts'
import { modelsText } from '#web/text/models.ts'
import { MakerFace } from '#web/ui/makers/makers.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { formatSeconds, formatThroughput } from '#web/core/numberFormat.ts'
import { ModelBadges } from './ModelBadges.tsx'
import { ModelId } from './ModelId.tsx'
import {
  formatCapability,
  findFastestOffer,
  formatLimits,
  formatPrices,
  listReachedOffers,
} from './offers.ts'
import { formatTierNote } from './priceNotes.ts'

/** The columns of a row and of the headings, where the list is wide enough for columns. */
export const rowColumnsClass =
  '@3xl:grid @3xl:grid-cols-[minmax(0,1fr)_7rem_6rem_5rem_5rem_8rem] @3xl:items-start @3xl:gap-x-4'

const getModelUrl = (id: string): string => `/models/${encodeURIComponent(id)}`

/** Shows one model of the list: a row of columns where there is room, else a card. All of it links to the model's page. */
export function ModelRow({ card }: { card: ModelCard }) {
  const price = formatPrices(card)
  const tier = formatTierNote(card)
  const limits = formatLimits(card)
  const aliases = [...new Set(listReachedOffers(card).map(({ alias }) => alias))]
  return (
    <li
      className={`relative border-t px-4 py-4 transition-colors first:border-t-0 hover:bg-fill/60 ${rowColumnsClass}`}
    >
      <div className="flex min-w-0 gap-3.5">
        <MakerFace maker={card.vendor || aliases[0] || ''} size={36} />
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-reading font-medium">
            <Link href={getModelUrl(card.id)} className="rounded after:absolute after:inset-0">
              {card.name}
            </Link>
            <ModelBadges card={card} />
            <ModelId id={card.id} />
          </h2>
          {card.desc && <p className="mt-0.5 text-note text-ink2">{card.desc}</p>}
          <p className="mt-0.5 text-xs text-ink3">
            {[...new Set([card.vendor, modelsText.platforms(aliases)])].filter(Boolean).join(' · ')}
          </p>
          <p className="mt-1.5 flex flex-wrap gap-x-2 gap-y-1 text-xs text-ink3 empty:hidden">
            {(card.tags.length ? card.tags : card.capabilities.map(formatCapability)).map((badge) => (
              <Badge key={badge}>{badge}</Badge>
            ))}
          </p>
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 text-note tabular-nums @3xl:contents">
        <Metric label={getPriceUnit(card) === 'token' ? modelsText.input : modelsText.offerPrice}>
          <Price amount={price.input} note={tier?.input} />
        </Metric>
        <Metric label={modelsText.output}>
          <Price amount={price.output} note={tier?.output} />
        </Metric>
        <Metric label={modelsText.context}>{limits.context}</Metric>
        <Metric label={modelsText.maxOutput}>{limits.maxOutput}</Metric>
        <Speed card={card} />
      </dl>
    </li>
  )
}

/** Shows a price, and below it the price of long inputs. */
function Price({ amount, note }: { amount: string | null; note: string | undefined }) {
  if (amount === null) return <span className="text-ink3">{modelsText.unknown}</span>
  return (
    <>
      {amount}
      {note && <span className="text-xs text-ink3 @max-3xl:ml-2 @3xl:block">{note}</span>}
    </>
  )
}

type MetricProps = { label: string; className?: string; children: ReactNode }

/** Stands under the heading of its column, or has a label of its own where there are no columns. */
function Metric({ label, className, children }: MetricProps) {
  return (
    <div className={clsx('flex justify-between gap-2 @3xl:block @3xl:text-right', className)}>
      <dt className="shrink-0 text-ink3 @3xl:sr-only">{label}</dt>
      <dd className="text-right">{children ?? <span className="text-ink3">{modelsText.unknown}</span>}</dd>
    </div>
  )
}

function Speed({ card }: { card: ModelCard }) {
  const fastest = findFastestOffer(card)
  return (
    <Metric label={modelsText.speed} className="@max-3xl:col-span-2">
      {fastest && (
        <>
          {formatThroughput(fastest.throughput)}
          <span className="text-ink3 @max-3xl:ml-2 @3xl:block @3xl:text-xs">
            {modelsText.firstText(formatSeconds(fastest.latency_ms))}
          </span>
        </>
      )}
    </Metric>
  )
}
