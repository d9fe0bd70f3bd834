import { createContext } from 'react'
import type { Message } from '#web/conversations/conversations.ts'

/** What can be done with a column and its answers. `turn` is the question. */
export type ColumnActions = {
  /** Answers the question again, or now where this column was not asked. */
  redo: (model: string, turn: Message) => void
  stop: (model: string) => void
  /** Another model takes its place. */
  swap: (model: string, other: string) => void
  remove: (model: string) => void
  openSettings: (model: string) => void
  /** The next question goes to this column alone. */
  askThis: (model: string) => void
  continueWith: (answer: Message) => void
  /** Sends a question again that was not accepted. */
  resend: (turn: Message) => void
  discard: (turn: Message) => void
  loadOlder: () => void
}

const unavailable = (): never => {
  throw new Error('no comparison is shown')
}

export const ColumnActionsContext = createContext<ColumnActions>({
  redo: unavailable,
  stop: unavailable,
  swap: unavailable,
  remove: unavailable,
  openSettings: unavailable,
  askThis: unavailable,
  continueWith: unavailable,
  resend: unavailable,
  discard: unavailable,
  loadOlder: unavailable,
})
