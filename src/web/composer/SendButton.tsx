import { clsx } from 'clsx'
import { ArrowUp, Square } from 'lucide-react'
import { chatText } from '#web/text/chat.ts'

type Props = { typing: boolean; ready: boolean; onSend: () => void; onStop: () => void }

/** Sends the question; stops the answer while one is being written. */
export function SendButton({ typing, ready, onSend, onStop }: Props) {
  const label = typing ? chatText.stop : chatText.send
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      disabled={!typing && !ready}
      onClick={typing ? onStop : onSend}
      className={clsx(
        'grid size-9 shrink-0 place-items-center rounded-full bg-btn text-btn-ink transition-colors hover:bg-btn-hover max-md:size-11',
        'disabled:bg-fill2 disabled:text-ink3',
      )}
    >
      {typing ? <Square size={14} fill="currentColor" aria-hidden /> : <ArrowUp size={18} aria-hidden />}
    </button>
  )
}
