import { Link } from '@inertiajs/react'
import { SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useConfig, usePageUrl } from '#web/core/page.ts'
import { scrollToAnchor } from '#web/core/scrollToAnchor.ts'
import { CallSection, CallsSkeleton } from '#web/docs/CallSection.tsx'
import { DocsArticle } from '#web/docs/DocsArticle.tsx'
import { FoundCalls, GroupList } from '#web/docs/GroupList.tsx'
import { parseCalls, groupByTag, matchesSearch } from '#web/docs/openapi.ts'
import { OPENAPI_URL, useOpenApi } from '#web/docs/queries.ts'
import { AuthSchemes } from '#web/docs/AuthSchemes.tsx'
import { docsText } from '#web/text/docs/reference.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

/** Shows the calls of one group, which the address names by `group` or by the anchor of a call in it. */
export default function ApiReference() {
  const { app_url } = useConfig()
  const { searchParams } = usePageUrl()
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search.trim())
  const query = useOpenApi()
  const { data } = query
  const calls = useMemo(() => (data ? parseCalls(data) : []), [data])
  const groups = useMemo(() => groupByTag(calls), [calls])
  const matchingCalls = useMemo(
    () => (words ? calls.filter((call) => matchesSearch(call, words)) : calls),
    [calls, words],
  )
  const name = searchParams.get('group')
  const [anchor] = useState(() => location.hash.slice(1))
  const current =
    groups.find((group) => group.name === name) ??
    groups.find((group) => group.calls.some(({ id }) => id === anchor)) ??
    groups[0]
  useEffect(() => (current ? scrollToAnchor() : undefined), [current])

  return (
    <AppPage title={docsText.title}>
      <PageScroll>
        <DocsArticle
          title={docsText.title}
          lead={
            <>
              {docsText.lead}{' '}
              <a href={OPENAPI_URL} className="text-accent underline underline-offset-3">
                {docsText.document}
              </a>
              <span className="mt-1 block">
                {docsText.gatewayLead}{' '}
                <Link href="/docs/gateway" className="text-accent underline underline-offset-3">
                  {docsText.gateway}
                </Link>
              </span>
            </>
          }
          path="/docs/api"
          list={<GroupList groups={groups} current={current} />}
        >
          <search className="mt-5 mb-8 flex flex-col gap-3">
            <Input
              type="search"
              aria-label={docsText.search}
              placeholder={docsText.searchHint}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <p role="status" className="text-note text-ink3 tabular-nums">
              {data && docsText.count(matchingCalls.length)}
            </p>
          </search>
          <QueryView
            query={query}
            failed={docsText.failed}
            skeleton={<CallsSkeleton />}
            isEmpty={() => !matchingCalls.length}
            empty={
              <EmptyState
                icon={<SearchX size={28} />}
                title={docsText.none}
                description={docsText.noneHint}
              />
            }
          >
            {({ components }) =>
              words ? (
                <FoundCalls calls={matchingCalls} />
              ) : (
                <>
                  {current === groups[0] && <AuthSchemes schemes={components?.securitySchemes ?? {}} />}
                  {current && (
                    <section aria-label={current.title}>
                      <h2 className="mb-3 text-lg font-semibold">{current.title}</h2>
                      <div className="rounded-2xl border bg-panel px-5 pt-6 md:px-8">
                        {current.calls.map((call) => (
                          <CallSection key={call.id} call={call} base={app_url} />
                        ))}
                      </div>
                    </section>
                  )}
                </>
              )
            }
          </QueryView>
        </DocsArticle>
      </PageScroll>
    </AppPage>
  )
}
