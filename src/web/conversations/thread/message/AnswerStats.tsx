import { type ReactNode, useRef } from 'react'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { useUser } from '#web/core/user.ts'
import { messagesText } from '#web/text/messages.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { useOpening } from '#web/ui/popover/useOpening.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import type { Message } from '#web/conversations/conversations.ts'
import type { ComparedFigures } from './RouteDetails.tsx'

const RouteDetails = lazyComponent(() => import('./RouteDetails.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

/** Shows the model and cost of an answer; a click shows the details. Guests pay nothing, and see the model's name alone. */
export function AnswerStats({ message }: { message: Message }) {
  const isGuest = useUser() === null
  const { figures, chat_model } = message
  const model = useModelName()(chat_model)
  if (!figures) return null
  if (isGuest) return <span className="ml-1 px-1.5 text-xs leading-4 text-ink3">{model}</span>
  return (
    <FiguresButton message={message}>
      {model} · {messagesText.coins(formatFineAmount(figures.amount))}
    </FiguresButton>
  )
}

type FiguresButtonProps = { message: Message; compared?: ComparedFigures; children: ReactNode }

/** Shows the line of figures under an answer; a click shows the details. */
export function FiguresButton({ message, compared, children }: FiguresButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { opening, open, close } = useOpening()
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={opening !== null}
        data-tooltip={messagesText.figures}
        onClick={open}
        className="ml-1 rounded-lg px-1.5 py-1 text-left text-xs leading-4 text-ink3 tabular-nums transition-colors hover:bg-fill hover:text-ink2 max-md:min-h-11"
      >
        {children}
      </button>
      {opening !== null && (
        <RouteDetails key={opening} {...{ message, compared }} anchor={button} onClose={close} />
      )}
    </>
  )
}
