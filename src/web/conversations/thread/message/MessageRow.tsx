import { memo, useRef } from 'react'
import type { MessageActions } from './messageActions.ts'
import { Answer } from './Answer.tsx'
import { Question } from './Question.tsx'
import { useFoundMark } from './useFoundMark.ts'
import type { Message } from '#web/conversations/conversations.ts'

type Props = {
  message: Message
  /** The last message of the conversation. */
  isLast: boolean
  /** A search led here. */
  isTarget: boolean
  busy: boolean
  actions: MessageActions
}

/** Shows one message in its column. */
export const MessageRow = memo(function MessageRow({ message, isLast, isTarget, busy, actions }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const isMarked = useFoundMark(isTarget, row)
  return (
    <div
      ref={row}
      {...(isTarget ? { tabIndex: -1, 'data-target': true } : {})}
      data-found={isMarked || undefined}
      className="mx-auto w-full max-w-[calc(48rem+3rem)] rounded-2xl px-4 outline-none transition-[background-color,--found] duration-500 data-[found]:bg-accent-soft md:px-6"
    >
      {message.role === 'human' ? (
        <Question message={message} busy={busy} actions={actions} />
      ) : (
        <Answer message={message} isLast={isLast} busy={busy} actions={actions} />
      )}
    </div>
  )
})
