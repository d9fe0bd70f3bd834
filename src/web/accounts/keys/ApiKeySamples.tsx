import { Link } from '@inertiajs/react'
import { useConfig } from '#web/core/page.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { CopyableFields } from '#web/ui/CopyableFields.tsx'
import { samplesText } from '#web/text/docs/samples.ts'
import { Tabs } from '#web/ui/Tabs.tsx'
import { buildSamples, type Sample, type SampleName } from './samples.ts'

const PLACEHOLDER_KEY = 'YOUR_API_KEY'

/** Sample programs that call a model with an API key; `api_key` is null while its whole value is unknown. */
export function ApiKeySamples({ model, api_key }: { model: string; api_key: string | null }) {
  const { app_url: origin } = useConfig()
  const samples = buildSamples({ origin, model, api_key: api_key ?? PLACEHOLDER_KEY })
  const names = Object.entries(samplesText.tabs) as [SampleName, string][]
  return (
    <section className="mt-12 flex flex-col gap-2">
      <h2 className="text-reading font-medium">{samplesText.title}</h2>
      <p className="text-note break-words text-ink2">
        {samplesText.lead(`${origin}/api/v1`)}
        {api_key && samplesText.filled}{' '}
        <Link href="/docs/gateway" className="text-accent underline underline-offset-3">
          {samplesText.guide}
        </Link>
      </p>
      <Tabs
        label={samplesText.title}
        tabs={names.map(([name, label]) => ({
          value: name,
          label,
          content: <SampleView sample={samples[name]} />,
        }))}
      />
    </section>
  )
}

function SampleView({ sample }: { sample: Sample }) {
  return (
    <div className="flex flex-col gap-3">
      {sample.note && <p className="text-note text-ink2">{sample.note}</p>}
      {'settings' in sample ? (
        <CopyableFields settings={sample.settings} />
      ) : (
        sample.codes.map(({ title, code }) => (
          <div key={title ?? ''} className="flex flex-col gap-1.5">
            {title && <h3 className="text-note font-medium">{title}</h3>}
            <CodeSample code={code} label={title} />
          </div>
        ))
      )}
    </div>
  )
}
