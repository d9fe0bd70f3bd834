import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { docsText } from '#web/text/docs/reference.ts'
import { Tabs } from '#web/ui/Tabs.tsx'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { buildCurlExample, buildFetchExample, buildPythonExample } from './callExamples.ts'
import { FieldTable } from './FieldTable.tsx'
import type { ApiCall } from './openapi.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Reference of one call: description, parameters, responses and examples. */
export function CallSection({ call, base }: { call: ApiCall; base: string }) {
  return (
    <section aria-labelledby={call.id} className="border-t py-8 first:border-t-0 first:pt-2">
      <h3 id={call.id} className="group flex scroll-mt-6 flex-wrap items-center gap-x-2.5 gap-y-1">
        <MethodBadge method={call.method} />
        <code className="font-mono text-reading font-medium break-all">{call.path}</code>
        <a
          href={`#${call.id}`}
          aria-label={docsText.link(`${call.method} ${call.path}`)}
          className="rounded px-1 text-ink3 opacity-0 transition-opacity group-hover:opacity-100 focus:opacity-100"
        >
          #
        </a>
      </h3>
      <p className="mt-1.5 text-ink2">{call.summary}</p>
      <p className="mt-1 text-note text-ink3">{docsText.callers(call.callers)}</p>
      {call.description && <p className="mt-1 text-note text-ink2">{call.description}</p>}
      <div className="mt-5 flex flex-col gap-5">
        <CallFields title={docsText.pathParameters} call={call} fields={call.path_parameters} />
        <CallFields title={docsText.queryParameters} call={call} fields={call.query_parameters} />
        {call.body && <BodyFields call={call} body={call.body} />}
        {call.responses.map((answer) => (
          <CallPart
            key={answer.status}
            title={`${docsText.response} ${answer.status}`}
            aside={
              answer.mime === 'text/event-stream' ? docsText.stream : (answer.mime ?? docsText.noContent)
            }
          >
            <FieldTable label={`${call.summary}：${docsText.response}`} fields={answer.fields} />
            {answer.example !== undefined && (
              <details className="mt-2">
                <summary className="py-1 text-note text-ink2 max-md:py-3">{docsText.answer}</summary>
                <CodeSample code={JSON.stringify(answer.example, null, 2)} label={docsText.answer} />
              </details>
            )}
          </CallPart>
        ))}
        {call.errors.length > 0 && (
          <CallPart title={docsText.errors}>
            <ul className="flex flex-col gap-1 text-note text-ink2">
              {call.errors.map((error) => (
                <li key={error.status} className="flex gap-3">
                  <code className="font-mono text-ink tabular-nums">{error.status}</code>
                  <span className="whitespace-pre-line">{error.description}</span>
                </li>
              ))}
            </ul>
          </CallPart>
        )}
        <Tabs
          label={docsText.example}
          tabs={[
            { value: 'curl', label: 'curl', content: <CodeSample code={buildCurlExample(call, base)} /> },
            {
              value: 'python',
              label: 'Python',
              content: <CodeSample code={buildPythonExample(call, base)} />,
            },
            {
              value: 'fetch',
              label: 'Node',
              content: <CodeSample code={buildFetchExample(call, base)} />,
            },
          ]}
        />
      </div>
    </section>
  )
}

type FieldsProps = { title: string; call: ApiCall; fields: ApiCall['query_parameters']; aside?: string }

function CallFields({ title, call, fields, aside }: FieldsProps) {
  if (!fields.length) return null
  return (
    <CallPart title={title} aside={aside}>
      <FieldTable label={`${call.summary}：${title}`} fields={fields} />
    </CallPart>
  )
}

/** The fields of a body; for a body with variants one table each, behind tabs. */
function BodyFields({ call, body }: { call: ApiCall; body: NonNullable<ApiCall['body']> }) {
  const { mimes, variants } = body
  const { body: title } = docsText
  const [first, ...others] = variants
  if (!first) return null
  if (!others.length)
    return <CallFields title={title} call={call} fields={first.fields} aside={mimes.join('、')} />
  const tabs = variants.map((variant) => ({
    value: variant.title,
    label: variant.title,
    content: <FieldTable label={`${call.summary}：${title}，${variant.title}`} fields={variant.fields} />,
  }))
  return (
    <CallPart title={title} aside={mimes.join('、')}>
      <Tabs label={title} tabs={tabs} />
    </CallPart>
  )
}

function CallPart({ title, aside, children }: { title: string; aside?: string; children?: ReactNode }) {
  return (
    <div>
      <h4 className="mb-2 flex flex-wrap items-baseline gap-x-2 text-note font-medium">
        {title}
        {aside && <span className="font-mono text-xs font-normal text-ink3">{aside}</span>}
      </h4>
      {children}
    </div>
  )
}

/** GET is quiet, DELETE has the warning colour, and other methods have the accent. */
export function MethodBadge({ method, className }: { method: string; className?: string }) {
  const tone =
    method === 'GET'
      ? 'bg-fill2 text-ink2'
      : method === 'DELETE'
        ? 'bg-danger-soft text-danger'
        : 'bg-accent-soft text-accent'
  return (
    <span className={clsx('rounded-md px-1.5 py-0.5 font-mono text-tiny font-semibold', tone, className)}>
      {method}
    </span>
  )
}

export function CallsSkeleton() {
  return (
    <div className="flex flex-col gap-4 rounded-2xl border bg-panel p-8">
      {[64, 96, 40].map((width) => (
        <div key={width} className="flex flex-col gap-3">
          <Skeleton className="h-5 w-72 max-w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      ))}
    </div>
  )
}
