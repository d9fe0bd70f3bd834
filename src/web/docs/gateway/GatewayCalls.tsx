import { CodeSample } from '#web/ui/CodeSample.tsx'
import { MethodBadge } from '../CallSection.tsx'
import { buildGatewayExamples } from './gatewayExamples.ts'

/** The calls of the gateway, each with a description and a command. */
export function GatewayCalls({ origin }: { origin: string }) {
  return (
    <div className="rounded-2xl border bg-panel px-5 md:px-6">
      {buildGatewayExamples(origin).map(({ key, method, path, title, about, code }) => (
        <section key={key} aria-label={title} className="flex flex-col gap-2 border-t py-6 first:border-t-0">
          <h3 className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
            <span className="font-medium">{title}</span>
            <span className="flex items-baseline gap-2">
              <MethodBadge method={method} />
              <code className="font-mono text-note break-all text-ink2">{path}</code>
            </span>
          </h3>
          <p className="text-note text-ink2">{about}</p>
          <CodeSample code={code} label={title} />
        </section>
      ))}
    </div>
  )
}
