import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import { homeText } from '#web/text/site/home.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { HomeSection } from './HomeSection.tsx'

const text = homeText.api

/** A sample program in a language; one line of `code` contains the site's address. */
export type ProgramSample = { language: string; code: string }

/** Shows that a program written for another gateway needs only one line changed. */
export function OneAddress({ origin, samples }: { origin: string; samples: ProgramSample[] }) {
  return (
    <HomeSection title={text.title} lead={text.lead}>
      <div className="rounded-2xl border bg-panel px-4 pt-2 pb-4 md:px-6">
        <Tabs
          label={text.label}
          tabs={samples.map(({ language, code }) => ({
            value: language,
            label: language,
            content: <Program {...{ code, origin }} label={language} />,
          }))}
        />
      </div>
      <div className="mt-5 flex flex-wrap gap-2">
        <Link href="/docs/gateway" className={buttonClass()}>
          {text.guide}
        </Link>
        <Link href="/docs/api" className={buttonClass({ variant: 'ghost' })}>
          {text.reference}
        </Link>
      </div>
    </HomeSection>
  )
}

function Program({ code, origin, label }: { code: string; origin: string; label: string }) {
  return (
    // As high as the longest sample, so that switching moves nothing.
    <pre
      tabIndex={0}
      aria-label={label}
      className="min-h-64 overflow-x-auto py-2 font-mono text-note leading-6"
    >
      {code.split('\n').map((line, index) => {
        const isChanged = line.includes(origin)
        return (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- lines of a constant text
            key={index}
            className={clsx(
              'block w-fit min-w-full px-2',
              isChanged && 'rounded-md bg-accent-soft text-accent',
            )}
          >
            {line || ' '}
            {isChanged && <span className="ml-4 font-sans text-xs">← {text.changed}</span>}
          </span>
        )
      })}
    </pre>
  )
}
