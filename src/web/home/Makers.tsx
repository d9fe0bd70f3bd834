import { Link } from '@inertiajs/react'
import { ArrowRight } from 'lucide-react'
import { MakerFace } from '#web/ui/makers/makers.tsx'
import { homeText } from '#web/text/site/home.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { listMakers, useChatModels } from './chatModels.ts'
import { HomeSection } from './HomeSection.tsx'

const text = homeText.models

/** The makers whose models can be asked. */
export function Makers() {
  const models = useChatModels()
  const { isReached, makers } = listMakers(models ?? [])
  const count = makers.reduce((sum, maker) => sum + maker.models.length, 0)
  const describe = isReached ? text.lead : text.leadNone
  return (
    <HomeSection title={text.title} lead={models ? describe(count, makers.length) : ' '}>
      <ul className="grid min-h-32 grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] content-start gap-2.5 max-md:grid-cols-2">
        {makers.map(({ name, models: theirs }) => (
          <li key={name}>
            <Link
              href={`/models?${new URLSearchParams({ q: name })}`}
              className="flex items-center gap-3 rounded-2xl border px-3.5 py-3 transition-colors hover:border-line2 hover:bg-fill/60"
            >
              <MakerFace maker={name} size={34} />
              <span className="min-w-0">
                <span className="block truncate font-medium">{name}</span>
                <span className="block text-xs text-ink3 tabular-nums">{text.more(theirs.length)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Link href="/models" className={buttonClass()}>
          {text.all}
          <ArrowRight size={15} aria-hidden />
        </Link>
        <Link href="/compare" className={buttonClass({ variant: 'ghost' })}>
          {text.compare}
        </Link>
      </div>
    </HomeSection>
  )
}
