import { Link } from '@inertiajs/react'
import type { ReactNode } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { useConfig } from '../core/page.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { modelsText } from '../text/models.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ModelFacts } from './ModelFacts.tsx'
import { ModelActions } from './ModelActions.tsx'
import { ModelBadges } from './ModelBadges.tsx'
import { ModelId } from './ModelId.tsx'
import { OfferTable } from './OfferTable.tsx'
import { formatDiscountBadge } from './offers.ts'
import { buildCurlSample } from './curlSample.ts'
import { getPriceUnit } from './priceUnits.ts'

/** A model's own page. */
export function ModelDetail({ card }: { card: ModelCard }) {
  const { app_url } = useConfig()
  const discount = formatDiscountBadge(card)
  return (
    <article className="@container flex flex-col gap-8">
      <header className="flex flex-col gap-3">
        <div>
          <h1 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-2xl font-semibold">
            {card.name}
            <span className="flex flex-wrap gap-2 font-normal">
              <ModelBadges card={card} />
              {card.guest && card.available && <Badge>{modelsText.guest}</Badge>}
            </span>
          </h1>
          <ModelId id={card.id} />
        </div>
        {card.desc && <p className="max-w-[42em] text-pretty text-ink2">{card.desc}</p>}
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
      {card.type === 'chat' && (
        <Section
          title={modelsText.sample}
          note={modelsText.sampleHint}
          aside={
            <Link href="/docs/api" className="text-note text-accent underline underline-offset-3">
              {modelsText.reference}
            </Link>
          }
        >
          <CodeSample code={buildCurlSample(card, app_url)} />
        </Section>
      )}
    </article>
  )
}

type SectionProps = { title: string; note?: string; aside?: ReactNode; children: ReactNode }

function Section({ title, note, aside, children }: SectionProps) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-reading font-semibold">{title}</h2>
        {aside}
      </div>
      {note && <p className="mt-1 text-note text-ink3">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  )
}
