import type { ReactNode } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { getPriceUnit } from '#contract/price-units.ts'
import { modelsText } from '#web/text/models.ts'
import { MakerFace } from '#web/ui/makers/makers.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { ModelFacts } from './ModelFacts.tsx'
import { ModelActions } from './ModelActions.tsx'
import { ModelBadges } from './ModelBadges.tsx'
import { ModelId } from './ModelId.tsx'
import { OfferTable } from './OfferTable.tsx'
import { formatDiscountBadge } from './offers.ts'

/** Renders how programs call a model, by its id. */
export type RenderSamples = (model: string) => ReactNode

type Props = {
  card: ModelCard
  /** The name in the address, which may be a former name of the model. */
  requested: string
  renderSamples: RenderSamples
}

export function ModelDetail({ card, requested, renderSamples }: Props) {
  const discount = formatDiscountBadge(card)
  return (
    <article className="@container flex flex-col gap-8">
      <header className="flex flex-col gap-3">
        <div className="flex items-start gap-4">
          <MakerFace maker={card.vendor || card.offers[0]?.alias || ''} size={48} />
          <div className="min-w-0">
            <h1 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-2xl font-semibold">
              {card.name}
              <span className="flex flex-wrap gap-2 font-normal">
                <ModelBadges card={card} />
                {card.guest && card.available && <Badge>{modelsText.guest}</Badge>}
              </span>
            </h1>
            <ModelId id={card.id} />
          </div>
        </div>
        {card.desc && <p className="max-w-[42em] text-ink2">{card.desc}</p>}
        {requested !== card.id && (
          <p className="text-note text-ink2">{modelsText.successor(requested, card.name)}</p>
        )}
        {!card.available && <p className="text-note text-ink2">{modelsText.unavailableHint}</p>}
        <ModelActions card={card} />
      </header>
      <Section title={modelsText.facts}>
        <ModelFacts card={card} />
      </Section>
      <Section
        title={modelsText.offers}
        note={
          modelsText.offersHint(modelsText.units[getPriceUnit(card)]) +
          (discount ? modelsText.discounted(discount) : '')
        }
      >
        <OfferTable card={card} />
      </Section>
      {card.type === 'chat' && renderSamples(card.id)}
    </article>
  )
}

type SectionProps = { title: string; note?: string; children: ReactNode }

function Section({ title, note, children }: SectionProps) {
  return (
    <section className="min-w-0">
      <h2 className="text-reading font-semibold">{title}</h2>
      {note && <p className="mt-1 text-note text-ink3">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  )
}
