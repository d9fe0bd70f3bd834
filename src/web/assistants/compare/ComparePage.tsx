import { router } from '@inertiajs/react'
import { usePageUrl } from '#web/core/page.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { ComparisonView, type RenderPage } from './ComparisonView.tsx'
import type { RenderComposer } from './CompareComposer.tsx'
import { useComparison } from './state/useComparison.ts'

type Props = { renderComposer: RenderComposer; renderPage: RenderPage }

/** Puts the session into the address without reloading the page, unless the person has gone to another page meanwhile. */
function setSessionInUrl(sessId: string): void {
  const { pathname, search } = location
  if (pathname !== '/compare' || new URLSearchParams(search).has('sess_id')) return
  router.replace({ url: `/compare?sess_id=${sessId}`, preserveState: true, preserveScroll: true })
}

/** The comparison that `?sess_id=` names, else a new one. */
export function ComparePage({ renderComposer, renderPage }: Props) {
  const { id, comparison } = useComparison(usePageUrl().searchParams.get('sess_id'))
  return (
    <ComparisonView
      key={comparison?.key ?? id}
      id={id}
      comparison={comparison}
      title={comparison?.session?.title || compareText.title}
      onSession={setSessionInUrl}
      {...{ renderComposer, renderPage }}
    />
  )
}
