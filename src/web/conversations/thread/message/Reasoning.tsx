import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { messagesText } from '#web/text/messages.ts'

type Props = {
  reasoning: string
  ms: number | null
  /** No text of the answer has arrived yet. */
  isThinking: boolean
}

const getLastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

/** Shows the reasoning before an answer, folded; while the model still thinks, with its latest line. */
export function Reasoning({ reasoning, ms, isThinking }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="mb-2 text-note leading-6 text-ink2">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="-ml-1.5 flex max-w-full items-center gap-1 rounded-lg px-1.5 py-0.5 transition-colors hover:bg-fill hover:text-ink max-md:min-h-11"
      >
        <ChevronRight
          size={15}
          aria-hidden
          className={clsx('shrink-0 transition-transform', open && 'rotate-90')}
        />
        <span className={clsx('shrink-0 tabular-nums', isThinking && 'animate-shimmer')}>
          {isThinking ? messagesText.thinking : messagesText.thought(ms)}
        </span>
        {isThinking && !open && (
          <span className="ml-1.5 min-w-0 truncate text-ink3" dir="auto">
            {getLastLine(reasoning)}
          </span>
        )}
      </button>
      <div
        id={id}
        hidden={!open}
        dir="auto"
        className="mt-1 ml-1 border-l pl-4 wrap-anywhere whitespace-pre-wrap"
      >
        {open && reasoning}
      </div>
    </div>
  )
}
