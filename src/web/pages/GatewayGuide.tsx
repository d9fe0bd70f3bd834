import { Head, Link } from '@inertiajs/react'
import { useConfig } from '../core/page.ts'
import { CodeSample } from '../docs/CodeSample.tsx'
import { GatewayCalls } from '../docs/gateway/GatewayCalls.tsx'
import { ErrorTable, UnitTable } from '../docs/gateway/tables.tsx'
import { Lines, Section } from '../docs/Section.tsx'
import { Settings } from '../docs/Settings.tsx'
import { gatewayText } from '../text/gateway.ts'
import { buttonClass } from '../ui/Button.tsx'

const links = [
  { href: '/profile/api-keys', label: gatewayText.keys },
  { href: '/models', label: gatewayText.plaza },
  { href: '/docs/charging', label: gatewayText.charging },
  { href: '/docs/api', label: gatewayText.reference },
]

const contents = [
  ['start', gatewayText.startTitle],
  ['calls', gatewayText.callsTitle],
  ['stream', gatewayText.streamTitle],
  ['background', gatewayText.backgroundTitle],
  ['errors', gatewayText.errorsTitle],
  ['retry', gatewayText.retryTitle],
  ['rates', gatewayText.ratesTitle],
  ['units', gatewayText.unitsTitle],
] as const

/** How a program calls models. */
export default function GatewayGuide() {
  const { app_url: origin } = useConfig()
  return (
    <article className="mx-auto w-full max-w-3xl px-4 pt-6 pb-24 md:px-8">
      <Head title={gatewayText.title} />
      <h1 className="text-2xl font-semibold">{gatewayText.title}</h1>
      <p className="mt-3 text-[15px] leading-[1.8] text-pretty text-ink2">{gatewayText.lead}</p>
      <div className="mt-5 flex flex-wrap gap-2">
        {links.map(({ href, label }) => (
          <Link key={href} href={href} className={buttonClass()}>
            {label}
          </Link>
        ))}
      </div>
      <nav aria-label={gatewayText.contents} className="mt-8 border-y py-3">
        <ul className="grid grid-cols-2 gap-x-4 text-[13px] md:grid-cols-4">
          {contents.map(([id, title]) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex items-center py-1.5 text-ink2 transition-colors hover:text-ink max-md:min-h-11"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Section id="start" title={gatewayText.startTitle}>
        <div className="rounded-xl bg-panel">
          <Settings settings={gatewayText.addresses(origin)} />
        </div>
        <Lines lines={gatewayText.start} />
      </Section>
      <Section id="calls" title={gatewayText.callsTitle}>
        <GatewayCalls base_url={`${origin}/api/v1`} />
      </Section>
      <Section id="stream" title={gatewayText.streamTitle}>
        <Lines lines={gatewayText.stream} />
        <CodeSample code={gatewayText.streamExample} label={gatewayText.streamTitle} />
      </Section>
      <Section id="background" title={gatewayText.backgroundTitle}>
        <Lines lines={gatewayText.background} />
      </Section>
      <Section id="errors" title={gatewayText.errorsTitle}>
        <p className="leading-[1.8] break-words text-ink2">{gatewayText.errorsLead}</p>
        <div className="rounded-xl bg-panel">
          <ErrorTable />
        </div>
      </Section>
      <Section id="retry" title={gatewayText.retryTitle}>
        <Lines lines={gatewayText.retry} />
      </Section>
      <Section id="rates" title={gatewayText.ratesTitle}>
        <Lines lines={gatewayText.rates} />
      </Section>
      <Section id="units" title={gatewayText.unitsTitle}>
        <p className="leading-[1.8] text-pretty text-ink2">{gatewayText.unitsLead}</p>
        <div className="rounded-xl bg-panel">
          <UnitTable />
        </div>
        <p className="leading-[1.8] text-pretty text-ink2">{gatewayText.bill}</p>
      </Section>
    </article>
  )
}
