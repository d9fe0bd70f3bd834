import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { chatText } from '#web/text/chat.ts'
import { useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { countUnread, type ReadMarker } from './unread.ts'

type Props = {
  messages: readonly Message[]
  last: Message
  readMarker: ReadMarker | null
  onClick: () => void
}

/** Leads back to the end of a conversation, and counts what is new there. Shown away from the end. */
export function JumpToLatest({ messages, last, readMarker, onClick }: Props) {
  const { text } = useLiveAnswer(last)
  const { messageCount, chars } = readMarker
    ? countUnread(messages, text, readMarker)
    : { messageCount: 0, chars: 0 }
  const unreadText = messageCount ? chatText.newMessages(messageCount) : chars ? chatText.newChars(chars) : ''
  return (
    <button
      type="button"
      inert={!readMarker}
      onClick={onClick}
      className={clsx(
        'absolute bottom-3 left-1/2 flex h-9 -translate-x-1/2 items-center gap-1.5 rounded-full border border-line2 bg-raised px-3.5 text-note whitespace-nowrap shadow-soft transition-opacity max-md:h-11',
        readMarker ? 'opacity-100' : 'pointer-events-none opacity-0',
      )}
    >
      <ArrowDown size={15} aria-hidden />
      {chatText.toLatest}
      {unreadText && <span className="text-ink2 tabular-nums">· {unreadText}</span>}
    </button>
  )
}
