import { tabStorage } from '#web/core/browserStorage.ts'

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

const PENDING_KEY = 'wenqu.question'

/** Keeps a question that the server refused until the person comes back from signing in. */
export const savePendingQuestion = (prompt: string): void => tabStorage.setItem(PENDING_KEY, prompt)

/** The kept question, once. */
export function takePendingQuestion(): string {
  const prompt = tabStorage.getItem(PENDING_KEY) ?? ''
  tabStorage.removeItem(PENDING_KEY)
  return prompt
}

// Below the drafts' own prefix: they are forgotten together when somebody signs out.
const UNSENT_KEY = 'wenqu.draft.unsent.'
/** A conversation that has no session yet is a new one again after a reload. */
const toUnsentKey = (id: string) => UNSENT_KEY + (id.startsWith('draft-') ? 'new' : id)

/** Keeps a question of a conversation that could not be sent: its draft, should the page be loaded again before it is. */
export const saveUnsentQuestion = (id: string, prompt: string): void =>
  tabStorage.setItem(toUnsentKey(id), prompt)

/** The kept question of a conversation, or of `new`, once. */
export function takeUnsentQuestion(id: string): string {
  const key = toUnsentKey(id)
  const prompt = tabStorage.getItem(key) ?? ''
  tabStorage.removeItem(key)
  return prompt
}
