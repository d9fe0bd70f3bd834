import { ChevronLeft, ChevronRight } from 'lucide-react'
import { messagesText } from '#web/text/messages.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import type { Message } from '#web/conversations/conversations.ts'

type Props = { message: Message; disabled: boolean; onChoose: (id: string) => void }

/** Shows ‹ 2/3 › if a message has other versions. */
export function VersionPager({ message: { id, versions }, disabled, onChoose }: Props) {
  if (versions.length < 2) return null
  const index = versions.indexOf(id)
  const renderStep = (offset: -1 | 1) => {
    const version = versions[index + offset]
    const Icon = offset < 0 ? ChevronLeft : ChevronRight
    // Never `disabled`, which would lose the focus at the ends.
    return (
      <IconButton
        label={offset < 0 ? messagesText.older : messagesText.newer}
        size="sm"
        aria-disabled={!version || disabled || undefined}
        onClick={() => version && !disabled && onChoose(version)}
        className="aria-disabled:cursor-default aria-disabled:opacity-35 aria-disabled:hover:bg-transparent"
      >
        <Icon size={16} aria-hidden />
      </IconButton>
    )
  }
  return (
    <div role="group" aria-label={messagesText.versions} className="flex items-center">
      {renderStep(-1)}
      <span aria-live="polite" className="min-w-7 text-center text-xs text-ink2 tabular-nums">
        {messagesText.position(index + 1, versions.length)}
      </span>
      {renderStep(1)}
    </div>
  )
}
