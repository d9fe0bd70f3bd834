import { memo } from 'react'
import type { TurnActions } from './actions.ts'
import { Answer } from './Answer.tsx'
import { Question } from './Question.tsx'
import type { Turn } from './turns.ts'

type Props = {
  turn: Turn
  /** The last message of the conversation. */
  last: boolean
  /** A search led here. */
  found: boolean
  busy: boolean
  actions: TurnActions
}

/** One message in its column. */
export const MessageRow = memo(function MessageRow({ turn, last, found, busy, actions }: Props) {
  return (
    <div
      {...(found ? { tabIndex: -1, 'data-found': true } : {})}
      className="mx-auto w-full max-w-[calc(48rem+3rem)] rounded-2xl px-4 outline-none data-[found]:bg-accent-soft md:px-6"
    >
      {turn.role === 'human' ? (
        <Question turn={turn} busy={busy} actions={actions} />
      ) : (
        <Answer turn={turn} last={last} busy={busy} actions={actions} />
      )}
    </div>
  )
})
