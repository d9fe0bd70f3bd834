import { homeText } from '#web/text/site/home.ts'
import { HomeSection } from './HomeSection.tsx'

const text = homeText.survives

/** The interruptions that an answer survives. */
export const Survives = () => (
  <HomeSection title={text.title} lead={text.lead}>
    <dl className="grid gap-x-10 gap-y-8 md:grid-cols-2 lg:grid-cols-3">
      {text.items.map(({ when, kept }) => (
        <div key={when} className="border-t pt-4">
          <dt className="text-reading font-semibold">{when}</dt>
          <dd className="mt-1.5 leading-reading text-ink2">{kept}</dd>
        </div>
      ))}
    </dl>
  </HomeSection>
)
