import { useRef, useState } from 'react'
import { formatFineAmount, formatMilliseconds, formatCount } from '#web/core/numberFormat.ts'
import { messagesText } from '#web/text/messages.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { useDisplayNames } from './useDisplayNames.ts'
import type { Message } from '#web/conversations/conversations.ts'

const RouteDetails = lazyComponent(() => import('./RouteDetails.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

/** Which model and platform answered, how fast, and for how much; a click tells the whole story. */
export function AnswerStats({ message }: { message: Message }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { figures, chat_model } = message
  const names = useDisplayNames()
  if (!figures) return null
  const { platform, first_text_ms, input_tokens, output_tokens, amount } = figures
  const parts = [
    names.model(chat_model),
    names.platform(platform),
    ...(first_text_ms === null ? [] : [messagesText.firstText(formatMilliseconds(first_text_ms))]),
    messagesText.tokens(formatCount(input_tokens), formatCount(output_tokens)),
    messagesText.coins(formatFineAmount(amount)),
  ]
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        data-tooltip={messagesText.figures}
        onClick={() => setOpen(true)}
        className="ml-1 rounded-lg px-1.5 py-1 text-left text-xs leading-4 text-ink3 tabular-nums transition-colors hover:bg-fill hover:text-ink2 max-md:min-h-11"
      >
        {parts.join(' · ')}
      </button>
      {open && <RouteDetails message={message} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
