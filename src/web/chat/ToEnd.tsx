import { clsx } from 'clsx'
import { ArrowDown } from 'lucide-react'
import { chatText } from '../text/chat.ts'
import { useLive } from './live.ts'
import { newsSince, type Seen } from './news.ts'
import type { Turn } from './turns.ts'

type Props = { turns: readonly Turn[]; last: Turn; seen: Seen | null; onClick: () => void }

/** The way back to the end of a conversation, and what has come there meanwhile. Shown while the person is away from it. */
export function ToEnd({ turns, last, seen, onClick }: Props) {
  const { text } = useLive(last)
  const { messages, chars } = seen ? newsSince(turns, text, seen) : { messages: 0, chars: 0 }
  const news = messages ? chatText.newMessages(messages) : chars ? chatText.newChars(chars) : ''
  return (
    <button
      type="button"
      inert={!seen}
      onClick={onClick}
      className={clsx(
        'absolute bottom-3 left-1/2 flex h-9 -translate-x-1/2 items-center gap-1.5 rounded-full border border-line2 bg-raised px-3.5 text-[13px] whitespace-nowrap shadow-soft transition-opacity max-md:h-11',
        seen ? 'opacity-100' : 'pointer-events-none opacity-0',
      )}
    >
      <ArrowDown size={15} aria-hidden />
      {chatText.toLatest}
      {news && <span className="text-ink2 tabular-nums">· {news}</span>}
    </button>
  )
}
