import { Link } from '@inertiajs/react'
import type { ListedSession } from '#contract/conversations/sessions.ts'
import { usePageUrl } from '#web/core/page.ts'
import { historyText } from '#web/text/history/history.ts'
import { HistoryError } from './HistoryError.tsx'
import { HistoryEnd } from './HistoryEnd.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { useSessions } from './queries.ts'
import { splitMatches } from './searchHighlight.ts'
import { getSessionUrl, onSessionLinkClick, setSearchedWords } from '#web/conversations/conversations.ts'

/** The conversations in which a word is found; each links to the message that contains it. */
export default function SearchResults({ keywords, chatbot }: { keywords: string; chatbot?: string }) {
  const query = useSessions(keywords, { chatbot })
  const { data, isPending, refetch } = query
  if (isPending) return <HistorySkeleton />
  if (!data) return <HistoryError onRetry={() => void refetch()} />
  const sessions = [
    ...new Map(data.pages.flatMap(({ items }) => items).map((session) => [session.id, session])).values(),
  ]
  const total = data.pages[0]?.total ?? 0
  return (
    <>
      <p role="status" className="px-3 pt-3 pb-1.5 text-xs text-ink3">
        {total ? historyText.found(total) : historyText.nothingFound}
      </p>
      {!total && <p className="px-3 text-note leading-6 text-ink3">{historyText.nothingFoundHint}</p>}
      <ul className="flex flex-col gap-0.5">
        {sessions.map((session) => (
          <Result key={session.id} session={session} keywords={keywords} />
        ))}
      </ul>
      <HistoryEnd query={query} />
    </>
  )
}

function Result({ session, keywords }: { session: ListedSession; keywords: string }) {
  const { searchParams } = usePageUrl()
  const { id, hit } = session
  const isCurrent =
    searchParams.get('sess_id') === id && searchParams.get('message') === (hit?.message_id ?? null)
  const href = `${getSessionUrl(session)}${hit ? `&message=${hit.message_id}` : ''}`
  return (
    <li>
      <Link
        href={href}
        onClick={(event) => {
          setSearchedWords(keywords)
          onSessionLinkClick(event, id, href)
        }}
        aria-current={isCurrent ? 'page' : undefined}
        className="block rounded-[10px] px-3 py-2 transition-colors hover:bg-fill aria-[current]:bg-fill2 max-md:py-3"
      >
        <span className="block truncate leading-5">
          {splitMatches(session.title, keywords).map(({ text, hit, at }) =>
            hit ? <Highlight key={at} text={text} /> : text,
          )}
        </span>
        {hit && (
          <span className="mt-0.5 line-clamp-2 text-xs leading-5 wrap-anywhere text-ink2">
            {hit.before}
            <Highlight text={hit.match} />
            {hit.after}
          </span>
        )}
      </Link>
    </li>
  )
}

const Highlight = ({ text }: { text: string }) => (
  <mark className="rounded-sm bg-accent-soft text-accent">{text}</mark>
)
