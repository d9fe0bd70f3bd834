import { useConfig } from '../core/page.ts'
import { CodeSample } from '../docs/CodeSample.tsx'
import { keysText } from '../text/keys.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { samples, type SampleName } from './samples.ts'

/** How a program calls a model with an API key. */
export function ApiSamples({ model }: { model: string }) {
  const base_url = `${useConfig().app_url}/api/v1`
  const code = samples(base_url, model)
  const names = Object.entries(keysText.samples) as [SampleName, string][]
  return (
    <section className="mt-10 flex flex-col gap-2">
      <h2 className="text-[15px] font-medium">{keysText.sample}</h2>
      <p className="text-[13px] break-words text-ink2">{keysText.sampleHint(base_url)}</p>
      <Tabs
        label={keysText.sample}
        tabs={names.map(([name, label]) => ({
          value: name,
          label,
          content: <CodeSample code={code[name]} />,
        }))}
      />
    </section>
  )
}
