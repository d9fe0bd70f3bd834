import { useConfig } from '../core/page.ts'
import { CodeSample } from '../docs/CodeSample.tsx'
import { provisionText } from '../text/keys.ts'

/** How a program makes an API key. */
export function ProvisionSample() {
  const { app_url } = useConfig()
  const code = `curl ${app_url}/api/api_keys \\
  -H "Authorization: Bearer $PROVISION_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "customer-1", "credit_limit": 100}'`
  return (
    <section className="mt-10 flex flex-col gap-2">
      <h2 className="text-[15px] font-medium">{provisionText.sample}</h2>
      <p className="text-[13px] text-ink2">{provisionText.sampleHint}</p>
      <CodeSample code={code} />
    </section>
  )
}
