import { Link2 } from 'lucide-react'
import type { MessageSearch } from '#contract/web-search.ts'
import { webSearchText } from '#web/text/webSearch.ts'

/** What the web search before an answer found: the pages by their numbers, as the answer cites them. */
export default function Sources({ search: { state, sources } }: { search: MessageSearch }) {
  if (state === 'searching') return null
  if (state !== 'found') {
    return (
      <p className="mt-3 flex items-center gap-2 text-note text-ink3">
        <Link2 size={15} aria-hidden className="shrink-0" />
        {webSearchText[state]}
      </p>
    )
  }
  return (
    <details className="group mt-3" open>
      <summary className="inline-flex list-none items-center gap-2 rounded-md py-0.5 text-note text-ink2 hover:text-ink max-md:min-h-11">
        <Link2 size={15} aria-hidden className="shrink-0" />
        {webSearchText.count(sources.length)}
      </summary>
      <ol aria-label={webSearchText.sources} className="mt-2 flex flex-wrap gap-1.5">
        {sources.map(({ n, title, url, site, published_at }) => (
          <li key={n} className="max-w-full">
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
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
