import type { Turn } from './turns.ts'

/** What can be done with the messages of the conversation on the screen. */
export type TurnActions = {
  ask: (prompt: string, quick_action?: string) => void
  /** Asks the question of an answer again; by the chosen model unless another is named. */
  regenerate: (turn: Turn, model?: string) => void
  edit: (question: Turn, prompt: string) => void
  goOn: (answer: Turn) => void
  /** Shows the version with this id. */
  choose: (id: string) => void
  remove: (turn: Turn) => Promise<void>
  /** Puts a text into the composer as a quotation. */
  quote: (text: string) => void
}
