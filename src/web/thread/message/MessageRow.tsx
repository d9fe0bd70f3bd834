import { memo } from 'react'
import type { MessageActions } from './messageActions.ts'
import { Answer } from './Answer.tsx'
import { Question } from './Question.tsx'
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

/** One message in its column. */
export const MessageRow = memo(function MessageRow({ message, isLast, isTarget, busy, actions }: Props) {
  return (
    <div
      {...(isTarget ? { tabIndex: -1, 'data-found': true } : {})}
      className="mx-auto w-full max-w-[calc(48rem+3rem)] rounded-2xl px-4 outline-none data-[found]:bg-accent-soft md:px-6"
    >
      {message.role === 'human' ? (
        <Question message={message} busy={busy} actions={actions} />
      ) : (
        <Answer message={message} isLast={isLast} busy={busy} actions={actions} />
      )}
    </div>
  )
})
