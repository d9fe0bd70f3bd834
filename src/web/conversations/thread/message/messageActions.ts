import type { Message } from '#web/conversations/conversations.ts'

type AskOptions = {
  /** Name of the ready-made action that asks. */
  quick_action?: string
  /** Ids of the question's documents, separated by commas. The first one of a spoken question is its recording. */
  block?: string
  content_type?: Message['content_type']
}

/** Actions on the messages of the conversation on the screen. */
export type MessageActions = {
  /** False if an agent answers that has a model of its own. */
  canChooseModel: boolean
  ask: (prompt: string, options?: AskOptions) => void
  /** Asks the question of an answer again, by the chosen model unless another is named. */
  regenerate: (message: Message, model?: string) => void
  edit: (question: Message, prompt: string) => void
  /** Takes the question of an answer into a conversation without history. */
  moveToNewChat: (answer: Message) => void
  continueAnswer: (answer: Message) => void
  /** Shows the version with this id. */
  selectVersion: (id: string) => void
  deleteTurn: (message: Message) => Promise<void>
  /** Shows the conversation that was copied from this one. */
  openFork: (sessId: string) => void
  /** Puts a text into the composer as a quotation. */
  quote: (text: string) => void
}
