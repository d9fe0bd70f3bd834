import { createContext } from 'react'
import type { Message } from '#web/conversations/conversations.ts'

/** Actions on a column and its answers. `turn` is the question. */
export type ColumnActions = {
  /** Answers the question again, or for the first time where this column was not asked. */
  redo: (model: string, turn: Message) => void
  stop: (model: string) => void
  /** Replaces the column's model by another. */
  swap: (model: string, other: string) => void
  remove: (model: string) => void
  openSettings: (model: string) => void
  /** Directs the next question to this column alone. */
  askThis: (model: string) => void
  continueWith: (answer: Message) => void
  /** Sends a question again that the server did not accept. */
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
