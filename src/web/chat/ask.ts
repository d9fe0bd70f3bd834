import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { toast } from '../ui/toast.ts'
import { adopt, change, conversation, isDraft } from './conversation.ts'
import { create, refuse } from './send.ts'
import { changeTurn, localAnswer, localQuestion, type Turn } from './turns.ts'

type OnSession = (sess_id: string) => void
type Asking = {
  onSession?: OnSession
  /** Which ready-made action asks. */
  quick_action?: string
  /** Such as `web_search`. */
  tools?: string[]
}

/**
 * Asks: the question and the placeholder are on the screen at once, then the server's messages take their places. A
 * draft is given a session first, and `onSession` its id. A question that was refused before is replaced.
 */
export async function ask(
  id: string,
  prompt: string,
  model: string,
  { onSession, quick_action, tools = [] }: Asking = {},
): Promise<void> {
  const question = localQuestion(prompt, model)
  const answer = localAnswer(model)
  // What was asked is at the end: a part further up is left for it, and the turns between are read again later.
  const kept = conversation(id)?.has_newer
    ? []
    : (conversation(id)?.turns.filter((turn) => !turn.local) ?? [])
  const follows = kept.at(-1)?.chat_id
  change(id, ({ has_newer, missed }) => ({
    turns: [...kept, question, answer],
    sending: true,
    failed: null,
    has_newer: false,
    target: null,
    missed: missed || has_newer,
  }))
  let sess_id = id
  try {
    if (isDraft(id)) {
      sess_id = await newSession()
      adopt(id, sess_id)
      onSession?.(sess_id)
    }
    const more = { ...(follows ? { chat_id: follows } : {}), ...(quick_action ? { quick_action } : {}) }
    await create({ sess_id, prompt, model, tools, ...more }, answer, question)
  } catch (error) {
    refuse(sess_id, answer, prompt, error)
  }
}

/**
 * Takes an answer away (the last one unless another is named) and asks its question again (specification section 4,
 * Regeneration). What followed goes with it; all of it stays as a version.
 */
export async function regenerate(
  sess_id: string,
  model: string,
  { chat_id: named, onSession }: { chat_id?: string; onSession?: OnSession } = {},
): Promise<void> {
  const turns = conversation(sess_id)?.turns ?? []
  const question = turns.findLast((turn) => turn.role === 'human' && (!named || turn.chat_id === named))
  if (!question || (!question.text.trim() && question.content_type !== 'audio')) {
    toast.error(chatText.emptyPrompt)
    return
  }
  if (question.edits) return edit(sess_id, question, question.text, model)
  if (question.local)
    return ask(sess_id, question.text, model, { ...(onSession ? { onSession } : {}), tools: question.tools })
  const answer = localAnswer(model)
  const { text: prompt, chat_id, content_type } = question
  change(sess_id, { turns: [...turns.slice(0, turns.indexOf(question) + 1), answer], sending: true })
  try {
    await create({ sess_id, prompt, model, chat_id, content_type, regen: true }, answer)
  } catch (error) {
    refuse(sess_id, answer, prompt, error)
  }
}

/** Asks something else in the place of a question. The old one stays as a version, with all that followed it. */
export async function edit(sess_id: string, old: Turn, prompt: string, model: string): Promise<void> {
  const chat_id = old.edits ?? old.chat_id
  const question = { ...localQuestion(prompt, model), edits: chat_id }
  const answer = localAnswer(model)
  change(sess_id, ({ turns }) => {
    const at = turns.findIndex(({ key }) => key === old.key)
    return { turns: [...turns.slice(0, Math.max(at, 0)), question, answer], sending: true }
  })
  try {
    await create({ sess_id, prompt, model, chat_id, edit: true }, answer, question)
  } catch (error) {
    refuse(sess_id, answer, prompt, error)
  }
}

/** Goes on with an answer that ended before it was whole, by the model that began it. */
export async function goOn(sess_id: string, answer: Turn): Promise<void> {
  const { chat_id, model } = answer
  change(sess_id, ({ turns }) => ({
    turns: changeTurn(turns, answer.key, (turn) => ({ ...turn, status: 'typing', error: null })),
    sending: true,
  }))
  try {
    await create({ sess_id, prompt: '', model, chat_id, continue: true }, answer)
  } catch (error) {
    refuse(sess_id, answer, '', error)
  }
}

async function newSession(): Promise<string> {
  try {
    const { session } = await request('POST /api/chat/session/new', { body: {} })
    return session.id
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) throw error
    throw new ApiError(0, { message: chatText.newSessionFailed })
  }
}
