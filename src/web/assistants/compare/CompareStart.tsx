import { Code, Coins, Eye, Lightbulb, Users, type LucideIcon } from 'lucide-react'
import { compareText } from '#web/text/compare/compare.ts'
import type { SetName, SuggestedSet } from './suggestedSets.ts'

const icons: Record<SetName, LucideIcon> = {
  popular: Users,
  thinking: Lightbulb,
  cheap: Coins,
  coding: Code,
  seeing: Eye,
}

/** Heading of a comparison without a question. */
export function CompareGreeting() {
  return (
    <>
      <h2 className="text-title leading-tight font-semibold max-md:text-title-sm">{compareText.hero}</h2>
      <p className="mt-2 text-reading text-ink2">{compareText.heroLine}</p>
    </>
  )
}

type SetsProps = {
  sets: readonly SuggestedSet[]
  /** Ids of the chosen models. */
  chosen: readonly string[]
  onChoose: (models: string[]) => void
}

/** Suggested sets of models, chosen with one click. */
export function SuggestedSets({ sets, chosen, onChoose }: SetsProps) {
  if (!sets.length) return null
  const current = chosen.toSorted().join()
  return (
    <section aria-label={compareText.sets}>
      <h2 className="mb-2 text-note text-ink3">{compareText.sets}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-2.5">
        {sets.map(({ name, models }) => {
          const Icon = icons[name]
          const { title, line } = compareText.setNames[name]
          const ids = models.map(({ id }) => id)
          return (
            <li key={name}>
              <button
                type="button"
                aria-pressed={ids.toSorted().join() === current}
                onClick={() => onChoose(ids)}
                className="flex h-full w-full flex-col rounded-2xl border px-4 py-3 text-left transition-colors hover:border-line2 hover:bg-fill/60 aria-pressed:border-accent/45 aria-pressed:bg-accent-soft/50"
              >
                <span className="flex w-full items-center gap-2 font-medium">
                  <Icon size={16} aria-hidden className="shrink-0 text-accent" />
                  {title}
                  <span className="ml-auto text-xs font-normal text-ink3">{line}</span>
                </span>
                <span className="mt-1.5 line-clamp-2 block text-note leading-5 text-ink2">
                  {compareText.setModels(models.map((model) => model.name))}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Example questions; choosing one writes it into the composer. */
export function ExampleQuestions({ onChoose }: { onChoose: (prompt: string) => void }) {
  return (
    <section aria-label={compareText.examples} className="mt-5">
      <h2 className="mb-2 text-note text-ink3">{compareText.examples}</h2>
      <ul className="flex flex-wrap gap-2">
        {compareText.exampleList.map(({ title, prompt }) => (
          <li key={title}>
            <button
              type="button"
              data-tooltip={prompt}
              onClick={() => onChoose(prompt)}
              className="min-h-9 rounded-full border px-3.5 text-note text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:min-h-11"
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
