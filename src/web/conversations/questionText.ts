import { type Draft, saveDraft, takeDraft } from '#web/core/draftStorage.ts'
import { toDraftKey } from './conversationStore.ts'
import type { Message } from './messages.ts'
import { listDocuments } from './questionBlocks.ts'

/** A longer pasted text is held beside the field, where its layout cannot block the page for a second. */
const LONG_CHARS = 10_000
const LONG_LINES = 400

export function isLongText(text: string): boolean {
  if (text.length > LONG_CHARS) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines > LONG_LINES
}

/** The question made of a typed and a pasted text; the typed part comes first, since it says what to do with the other. */
export const joinPastedText = (typedText: string, pastedText: string): string =>
  pastedText && typedText.trim() ? `${typedText.trimEnd()}\n\n${pastedText}` : pastedText || typedText

const PENDING = 'pending'

/** Keeps a question for the field that is shown next, that of another conversation. */
export const savePendingQuestion = (draft: Draft): void => saveDraft(PENDING, draft)

/** Takes the kept question, once. */
export const takePendingQuestion = (): Draft => takeDraft(PENDING)

/** A question as a draft: its text and its documents. */
export const toDraft = (question: Pick<Message, 'text' | 'block' | 'content_type'>): Draft => ({
  text: question.text,
  blocks: listDocuments(question),
})

const toUnsentName = (id: string): string => `unsent.${toDraftKey(id)}`

/** Keeps an unsent question as a draft of its conversation, in case the page is reloaded before it is sent. */
export const saveUnsentQuestion = (id: string, draft: Draft): void => saveDraft(toUnsentName(id), draft)

/** Takes the unsent question of a conversation, once. */
export const takeUnsentQuestion = (id: string): Draft => takeDraft(toUnsentName(id))
