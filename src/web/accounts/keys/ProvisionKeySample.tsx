import { Link } from '@inertiajs/react'
import { useConfig } from '#web/core/page.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { provisionText } from '#web/text/keys.ts'

const PLACEHOLDER_KEY = 'YOUR_PROVISION_KEY'

/** A sample command that creates an API key; `provision_key` is null while its whole value is unknown. */
export function ProvisionKeySample({ provision_key }: { provision_key: string | null }) {
  const { app_url } = useConfig()
  const code = `curl ${app_url}/api/api_keys \\
  -H "Authorization: Bearer ${provision_key ?? PLACEHOLDER_KEY}" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "customer-1", "credit_limit": 100}'`
  return (
    <section className="mt-12 flex flex-col gap-2">
      <h2 className="text-reading font-medium">{provisionText.sample}</h2>
      <p className="text-note text-ink2">
        {provisionText.sampleHint}
        <Link href="/docs/api" className="text-accent underline underline-offset-3">
          {provisionText.sampleLink}
        </Link>
        。
      </p>
      <CodeSample code={code} />
    </section>
  )
}
