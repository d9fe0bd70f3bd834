import { CircleAlert, FileText, Link2 } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { findCitations } from '#contract/conversations/citations.ts'
import type { CitationReview, MessageSearch, SearchSource } from '#contract/web-search.ts'
import { openOwnUrl } from '#web/core/openUrl.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { SourceLines } from '#web/ui/water/Flow.tsx'
import { WEB_SEARCH } from './useWebSearch.ts'

type Props = {
  search: MessageSearch
  /** Text of the answer. */
  text: string
  /** Tools of the answer. Without web search, only documents were searched. */
  tools: readonly string[]
}

/** Lists the sources of an answer with their numbers: web pages, and the document passages that it cites. */
export default function Sources({ search: { state, sources, review }, text, tools }: Props) {
  if (state === 'searching') return null
  if (state !== 'found') {
    if (!tools.includes(WEB_SEARCH)) return null
    return (
      <p className="mt-3 flex items-center gap-2 text-note text-ink3">
        <Link2 size={15} aria-hidden className="shrink-0" />
        {webSearchText[state]}
      </p>
    )
  }
  const pages = sources.filter(({ block }) => !block)
  // Documents are given whole or in many passages, so only the cited ones are listed.
  const cited = new Set(findCitations(text).flatMap(({ numbers }) => numbers))
  const passages = sources.filter(({ n, block }) => block && cited.has(n))
  return (
    <>
      {pages.length + passages.length > 0 && <SourceLines className="mt-4 -mb-1" />}
      <SourceList
        Icon={Link2}
        label={webSearchText.sources}
        formatCount={webSearchText.count}
        sources={pages}
      />
      <SourceList
        Icon={FileText}
        label={webSearchText.passages}
        formatCount={webSearchText.passageCount}
        sources={passages}
      />
      {review && <Review review={review} />}
    </>
  )
}

/** Lists the statements of an answer that its sources do not support. */
function Review({ review: { invalid, unsupported } }: { review: CitationReview }) {
  if (!invalid.length && !unsupported.length) return null
  return (
    <details className="group mt-3 text-note text-ink2">
      <summary className="inline-flex list-none items-center gap-2 rounded-md py-0.5 text-warning max-md:min-h-11">
        <CircleAlert size={15} aria-hidden className="shrink-0" />
        {webSearchText.unsupported(unsupported.length, invalid)}
      </summary>
      {unsupported.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1.5 rounded-xl bg-fill px-4 py-3">
          {unsupported.map((sentence) => (
            <li key={sentence} className="wrap-anywhere">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

type ListProps = {
  Icon: LucideIcon
  label: string
  formatCount: (count: number) => string
  sources: SearchSource[]
}

function SourceList({ Icon, label, formatCount, sources }: ListProps) {
  if (!sources.length) return null
  return (
    <details className="group mt-3" open>
      <summary className="inline-flex list-none items-center gap-2 rounded-md py-0.5 text-note text-ink2 hover:text-ink max-md:min-h-11">
        <Icon size={15} aria-hidden className="shrink-0" />
        {formatCount(sources.length)}
      </summary>
      <ol aria-label={label} className="mt-2 flex flex-wrap gap-1.5">
        {sources.map(({ n, title, url, site, published_at, block }) => (
          <li key={n} className="max-w-full">
            <a
              href={url}
              {...getLinkProps(url, block !== undefined)}
              data-tooltip={[title, published_at].filter(Boolean).join(' · ')}
              className="flex h-8 max-w-72 items-center gap-2 rounded-full border pr-3 pl-1.5 text-note transition-colors hover:bg-fill max-md:h-11 max-md:max-w-full max-md:pl-3"
            >
              <span className="grid h-5 min-w-5 place-items-center rounded-full bg-fill2 px-1 text-xs text-ink2 tabular-nums">
                {n}
              </span>
              <span className="truncate">{title}</span>
              <span className="max-w-28 shrink-0 truncate text-xs text-ink3">{site}</span>
            </a>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** A passage opens in this tab, a web page in a new one. */
const getLinkProps = (url: string, isPassage: boolean): ComponentProps<'a'> =>
  isPassage
    ? { onClick: (event) => openOwnUrl(event, url) }
    : { target: '_blank', rel: 'noopener noreferrer nofollow' }
