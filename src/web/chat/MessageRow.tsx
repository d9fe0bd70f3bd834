import { memo } from 'react'
import { Answer } from './Answer.tsx'
import { Question } from './Question.tsx'
import type { Turn } from './turns.ts'

type Props = {
  turn: Turn
  /** The last message of the conversation: its answer can be asked for again. */
  last: boolean
  onRegenerate: () => void
}

/** One message in its column. */
export const MessageRow = memo(function MessageRow({ turn, last, onRegenerate }: Props) {
  return (
    <div className="mx-auto w-full max-w-[calc(48rem+3rem)] px-4 md:px-6">
      {turn.role === 'human' ? (
        <Question turn={turn} />
      ) : (
        <Answer turn={turn} {...(last ? { onRegenerate } : {})} />
      )}
    </div>
  )
})
