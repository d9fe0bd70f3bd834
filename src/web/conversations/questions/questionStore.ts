import type { Message } from '../messages.ts'

/** Conversations, whose answers are all in the only lane, or comparisons, as questions asked in them need them, by id. */
export type QuestionStore = {
  /** Key of the draft of a conversation or comparison. */
  toDraftKey: (id: string) => string
  /** The answers to a turn that are being written, by lane. */
  listTyping: (id: string, chatId: string) => readonly (readonly [lane: string, answer: Message])[]
  updateAnswer: (id: string, lane: string, key: string, update: (answer: Message) => Message) => void
  reload: (id: string) => Promise<void>
  /** Tells whether the messages were read while a question was on its way, and must be read again. */
  isStale: (id: string) => boolean
  /** Follows the answers to the question just sent, in these lanes. */
  follow: (id: string, chatId: string, lanes: readonly string[]) => void
  stop: (id: string, chatId: string) => Promise<void>
  /** Called when the answers to a turn have ended and were read again. */
  onTurnEnd: (id: string, chatId: string) => void
}
