import type { Message } from '#web/conversations/conversations.ts'

type AskOptions = {
  /** Which ready-made action asks. */
  quick_action?: string
  /** Ids of the documents that it is about, separated by commas; of a spoken question the first is its recording. */
  block?: string
  content_type?: Message['content_type']
}

/** What can be done with the messages of the conversation on the screen. */
export type MessageActions = {
  /** Who answers has no model of its own. */
  canChooseModel: boolean
  ask: (prompt: string, options?: AskOptions) => void
  /** Asks the question of an answer again; by the chosen model unless another is named. */
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
