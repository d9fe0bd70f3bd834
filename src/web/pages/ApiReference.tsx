import { Link } from '@inertiajs/react'
import { useQuery } from '#web/core/queryClient.ts'
import { SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { ApiError } from '#web/core/api.ts'
import { useConfig } from '#web/core/page.ts'
import { CallSection, CallsSkeleton } from '#web/docs/CallSection.tsx'
import { TableOfContents, TableOfContentsSelect } from '#web/docs/TableOfContents.tsx'
import { parseCalls, groupByTag, matchesSearch, type OpenApi } from '#web/docs/openapi.ts'
import { AuthSchemes } from '#web/docs/AuthSchemes.tsx'
import { docsText } from '#web/text/docs/reference.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

const OPENAPI_URL = '/api/openapi.json'

/** The document describes the calls of the contract and is not one of them. */
async function fetchOpenApi({ signal }: { signal: AbortSignal }): Promise<OpenApi> {
  const response = await fetch(OPENAPI_URL, { signal })
  if (!response.ok) throw new ApiError(response.status, {})
  return (await response.json()) as OpenApi
}

export default function ApiReference() {
  const { app_url } = useConfig()
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search.trim())
  const query = useQuery({
    queryKey: ['openapi'],
    queryFn: fetchOpenApi,
    staleTime: Infinity,
  })
  const { data } = query
  const calls = useMemo(() => (data ? parseCalls(data) : []), [data])
  const shown = useMemo(() => calls.filter((call) => matchesSearch(call, words)), [calls, words])
  const loaded = calls.length > 0
  useEffect(() => {
    // The anchor that the address names is there only now.
    if (loaded) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [loaded])

  return (
    <AppPage title={docsText.title}>
      <PageScroll>
        <div className="mx-auto grid w-full max-w-6xl gap-10 px-4 pt-6 pb-24 md:px-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
          <TableOfContents calls={shown} />
          <div className="min-w-0">
            <h1 className="text-2xl font-semibold">{docsText.title}</h1>
            <p className="mt-2 text-ink2">
              {docsText.lead}{' '}
              <a href={OPENAPI_URL} className="text-accent underline underline-offset-3">
                {docsText.document}
              </a>
            </p>
            <p className="mt-1 text-ink2">
              {docsText.gatewayLead}{' '}
              <Link href="/docs/gateway" className="text-accent underline underline-offset-3">
                {docsText.gateway}
              </Link>
            </p>
            <search className="mt-5 mb-8 flex flex-col gap-3">
              <Input
                type="search"
                aria-label={docsText.search}
                placeholder={docsText.searchHint}
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
              <TableOfContentsSelect calls={shown} />
              <p role="status" className="text-note text-ink3 tabular-nums">
                {loaded && docsText.count(shown.length)}
              </p>
            </search>
            {data && <AuthSchemes schemes={data.components?.securitySchemes ?? {}} />}
            <QueryView
              query={query}
              failed={docsText.failed}
              skeleton={<CallsSkeleton />}
              isEmpty={() => !shown.length}
              empty={
                <EmptyState
                  icon={<SearchX size={28} />}
                  title={docsText.none}
                  description={docsText.noneHint}
                />
              }
            >
              {() =>
                groupByTag(shown).map(([tag, group]) => (
                  <section key={tag} aria-label={tag} className="mb-10">
                    <h2 className="mb-3 text-lg font-semibold">{tag}</h2>
                    <div className="rounded-2xl border bg-panel px-5 pt-6 md:px-8">
                      {group.map((call) => (
                        <CallSection key={call.id} call={call} base={app_url} />
                      ))}
                    </div>
                  </section>
                ))
              }
            </QueryView>
          </div>
        </div>
      </PageScroll>
    </AppPage>
  )
}
