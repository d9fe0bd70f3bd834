import { ArrowUp, Square } from 'lucide-react'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { chatText } from '#web/text/chat.ts'

type Props = { typing: boolean; ready: boolean; onSend: () => void; onStop: () => void }

/** Sends the question, or stops the answer while one is being written. */
export function SendButton({ typing, ready, onSend, onStop }: Props) {
  const isHydrated = useIsHydrated()
  const isIdle = !typing && !ready
  const label = typing ? chatText.stop : chatText.send
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      // Before hydration the field's content is unknown, and a disabled button would lose clicks.
      disabled={isHydrated && isIdle}
      onClick={typing ? onStop : onSend}
      className={`grid size-9 shrink-0 place-items-center rounded-full transition-colors max-md:size-11 ${isIdle ? 'bg-fill2 text-ink3' : 'bg-btn text-btn-ink hover:bg-btn-hover'}`}
    >
      {typing ? <Square size={14} fill="currentColor" aria-hidden /> : <ArrowUp size={18} aria-hidden />}
    </button>
  )
}
