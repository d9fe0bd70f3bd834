import { docsText } from '#web/text/docs/reference.ts'

type Props = { schemes: Record<string, { description?: string }> }

/** The authentication schemes, as the document describes them. */
export function AuthSchemes({ schemes }: Props) {
  const entries = Object.entries(schemes)
  if (!entries.length) return null
  return (
    <section aria-label={docsText.schemes} className="mb-10">
      <h2 className="mb-3 text-lg font-semibold">{docsText.schemes}</h2>
      <dl className="divide-y rounded-2xl border bg-panel px-5 text-note md:px-8">
        {entries.map(([name, { description }]) => (
          <div key={name} className="grid gap-x-6 gap-y-0.5 py-3 md:grid-cols-[12rem_1fr]">
            <dt className="font-medium">{docsText.schemeNames[name] ?? name}</dt>
            <dd className="text-ink2">{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
