import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { toast } from '../ui/toast.ts'
import { attachToLast, finish } from './attach.ts'
import { announce } from './changes.ts'
import { adopt, change, conversation, isDraft, reload } from './conversation.ts'
import { keepQuestion } from './keptQuestion.ts'
import { changeTurn, localAnswer, localQuestion, settle, type Turn } from './turns.ts'

/** Answers that were stopped before the server had named their turn, by key. */
const stopped = new Set<string>()

const idempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/**
 * Asks: the question and the placeholder are on the screen at once, then the server's messages take their places. A
 * draft is given a session first, and `onSession` its id. A question that was refused before is replaced.
 */
export async function ask(
  id: string,
  prompt: string,
  model: string,
  onSession?: (sess_id: string) => void,
  tools: string[] = [],
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
    await create(
      { sess_id, prompt, model, tools, ...(follows ? { chat_id: follows } : {}) },
      answer,
      question,
    )
  } catch (error) {
    refuse(sess_id, answer, prompt, error)
  }
}

/** Removes the last answer and asks its question again (specification section 4, Regeneration). */
export async function regenerate(
  sess_id: string,
  model: string,
  onSession?: (sess_id: string) => void,
): Promise<void> {
  const turns = conversation(sess_id)?.turns ?? []
  const question = turns.findLast((turn) => turn.role === 'human')
  if (!question || (!question.text.trim() && question.content_type !== 'audio')) {
    toast.error(chatText.emptyPrompt)
    return
  }
  if (question.local) return ask(sess_id, question.text, model, onSession)
  const answer = localAnswer(model)
  const { text: prompt, chat_id, content_type } = question
  change(sess_id, { turns: [...turns.slice(0, turns.indexOf(question) + 1), answer], sending: true })
  try {
    await create({ sess_id, prompt, model, chat_id, content_type, regen: true }, answer)
  } catch (error) {
    refuse(sess_id, answer, prompt, error)
  }
}

/** Stops the answer at the end of a session; what has been written of it stays. */
export async function stop(sess_id: string): Promise<void> {
  const last = conversation(sess_id)?.turns.at(-1)
  if (last?.status !== 'typing') return
  if (last.local) {
    stopped.add(last.key)
    return
  }
  try {
    const { chat_message } = await request('POST /api/chat/cancel', { body: { chat_id: last.chat_id } })
    finish(sess_id, chat_message)
    announce(sess_id)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : chatText.noChatMessage)
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

type Body = {
  sess_id: string
  prompt: string
  model: string
  chat_id?: string
  content_type?: Turn['content_type']
  /** Absent: those of the question that is asked again. */
  tools?: string[]
  regen?: true
}

async function create({ model, ...body }: Body, answer: Turn, question?: Turn): Promise<void> {
  const headers = { 'Idempotency-Key': idempotencyKey() }
  const send = () =>
    request('POST /api/chat/create', { body: { ...body, model: model || null } }, { headers })
  const created = await send().catch((error: unknown) => {
    // The answer may be lost, not the question: the same key asks again without asking twice.
    if (error instanceof ApiError && error.status === 0) return send()
    throw error
  })
  if (!created.chat_message) throw new ApiError(500, { message: chatText.noChatMessage })
  change(body.sess_id, ({ turns }) => {
    const asked = question ? changeTurn(turns, question.key, (turn) => settle(turn, created.question)) : turns
    return {
      turns: changeTurn(asked, answer.key, (turn) => settle(turn, created.chat_message)),
      sending: false,
    }
  })
  if (conversation(body.sess_id)?.missed) await reload(body.sess_id)
  announce(body.sess_id)
  attachToLast(body.sess_id)
  if (stopped.delete(answer.key)) await stop(body.sess_id)
}

/** The server's message takes the place of the answer. */
function refuse(id: string, answer: Turn, prompt: string, error: unknown): void {
  const message = error instanceof ApiError ? error.message : chatText.noChatMessage
  const sign_in = error instanceof ApiError && error.status === 401
  if (sign_in) keepQuestion(prompt)
  stopped.delete(answer.key)
  change(id, ({ turns }) => ({
    turns: changeTurn(turns, answer.key, (turn) => ({
      ...turn,
      text: '',
      status: 'failed',
      error: message,
      ...(sign_in ? { sign_in } : {}),
    })),
    sending: false,
  }))
}
