import { Link } from '@inertiajs/react'
import type { ListedSession } from '#contract/sessions.ts'
import { usePageUrl } from '../core/page.ts'
import { chatText } from '../text/chat.ts'
import { ListFailed } from './ListFailed.tsx'
import { useEndShown, useSessions } from './listQueries.ts'
import { ListSkeleton } from './ListSkeleton.tsx'
import { marked } from './marks.ts'
import { openInChat } from './openInChat.ts'

/** The conversations in which a word is found; each leads to the message that has it. */
export default function SearchResults({ keywords }: { keywords: string }) {
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useSessions(keywords)
  const end = useEndShown(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })
  if (isPending) return <ListSkeleton />
  if (isError) return <ListFailed onRetry={() => void refetch()} />
  const found = [
    ...new Map(data.pages.flatMap(({ items }) => items).map((session) => [session.id, session])).values(),
  ]
  const total = data.pages[0]?.total ?? 0
  return (
    <>
      <p role="status" className="px-3 pt-3 pb-1.5 text-xs text-ink3">
        {total ? chatText.found(total) : chatText.nothingFound}
      </p>
      {!total && <p className="px-3 text-[13px] leading-6 text-ink3">{chatText.nothingFoundHint}</p>}
      <ul className="flex flex-col gap-0.5">
        {found.map((session) => (
          <Result key={session.id} session={session} keywords={keywords} />
        ))}
      </ul>
      <div ref={end}>{isFetchingNextPage && <ListSkeleton />}</div>
    </>
  )
}

function Result({ session, keywords }: { session: ListedSession; keywords: string }) {
  const { searchParams } = usePageUrl()
  const { id, hit } = session
  const shown =
    searchParams.get('sess_id') === id && searchParams.get('message') === (hit?.message_id ?? null)
  const href = `/chat?sess_id=${id}${hit ? `&message=${hit.message_id}` : ''}`
  return (
    <li>
      <Link
        href={href}
        onClick={(event) => openInChat(event, id, href)}
        aria-current={shown ? 'page' : undefined}
        className="block rounded-[10px] px-3 py-2 transition-colors hover:bg-fill aria-[current]:bg-fill2 max-md:py-3"
      >
        <span className="block truncate leading-5">
          {marked(session.title, keywords).map(({ text, hit, at }) =>
            hit ? <Mark key={at} text={text} /> : text,
          )}
        </span>
        {hit && (
          <span className="mt-0.5 line-clamp-2 text-xs leading-5 wrap-anywhere text-ink2">
            {hit.before}
            <Mark text={hit.match} />
            {hit.after}
          </span>
        )}
      </Link>
    </li>
  )
}

const Mark = ({ text }: { text: string }) => (
  <mark className="rounded-sm bg-accent-soft text-accent">{text}</mark>
)
