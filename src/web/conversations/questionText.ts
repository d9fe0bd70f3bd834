import { type Draft, saveDraft, takeDraft } from '#web/core/draftStorage.ts'
import { toDraftKey } from './conversationStore.ts'
import type { Message } from './messages.ts'
import { listDocuments } from './questionBlocks.ts'

/** From here on a pasted text is held beside the field: laying it out in there would stop the page for a second. */
const LONG_CHARS = 10_000
const LONG_LINES = 400

export function isLongText(text: string): boolean {
  if (text.length > LONG_CHARS) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines > LONG_LINES
}

/** What was typed and what was pasted as one question; what was typed says what to do with the rest. */
export const joinPastedText = (typed: string, pasted: string): string =>
  pasted && typed.trim() ? `${typed.trimEnd()}\n\n${pasted}` : pasted || typed

const PENDING = 'pending'

/** Keeps a question for the next field that is shown: that of another conversation. */
export const savePendingQuestion = (draft: Draft): void => saveDraft(PENDING, draft)

/** The kept question, once. */
export const takePendingQuestion = (): Draft => takeDraft(PENDING)

/** A question as a draft: its text, and the documents beside it. */
export const toDraft = (question: Pick<Message, 'text' | 'block' | 'content_type'>): Draft => ({
  text: question.text,
  blocks: listDocuments(question),
})

const toUnsentName = (id: string): string => `unsent.${toDraftKey(id)}`

/** Keeps a question of a conversation that could not be sent: its draft, should the page be loaded again before it is. */
export const saveUnsentQuestion = (id: string, draft: Draft): void => saveDraft(toUnsentName(id), draft)

/** The kept question of a conversation, or of the place of its drafts, once. */
export const takeUnsentQuestion = (id: string): Draft => takeDraft(toUnsentName(id))
