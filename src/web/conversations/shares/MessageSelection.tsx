import { sharesText } from '#web/text/shares.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useShareableMessages } from './queries.ts'

type Props = {
  sess_id: string
  selected: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
}

/** Enough of a message to tell it from the others. */
const PREVIEW_CHARS = 160

/** Lists the messages of a conversation, each with a checkbox. */
export function MessageSelection({ sess_id, selected, onChange }: Props) {
  const query = useShareableMessages(sess_id)
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <QueryView query={query} failed={sharesText.loadFailed} skeleton={<Skeleton className="h-40" />} compact>
      {(messages) => (
        <ul
          aria-label={sharesText.messages}
          className="max-h-[38dvh] divide-y overflow-y-auto overscroll-contain rounded-xl border"
        >
          {messages.map(({ id, role, text }) => (
            <li key={id}>
              <label className="flex cursor-pointer gap-3 px-3.5 py-2 transition-colors hover:bg-fill/60 max-md:min-h-11">
                <input
                  type="checkbox"
                  checked={selected.has(id)}
                  onChange={() => toggle(id)}
                  className="mt-1 size-4 shrink-0 accent-(--accent)"
                />
                <span className="min-w-0">
                  <span className="block text-xs text-ink3">
                    {role === 'human' ? sharesText.you : sharesText.ai}
                  </span>
                  <span className="line-clamp-2 text-note wrap-anywhere">{text.slice(0, PREVIEW_CHARS)}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  )
}
