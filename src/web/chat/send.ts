import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { attachToLast } from './attach.ts'
import { announce } from './changes.ts'
import { change, conversation, reload } from './conversation.ts'
import { keepQuestion } from './keptQuestion.ts'
import { wantsRelated } from './related.ts'
import { stop, stoppedEarly } from './stop.ts'
import { changeTurn, settle, type Turn } from './turns.ts'

const idempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

type Body = {
  sess_id: string
  prompt: string
  model: string
  chat_id?: string
  content_type?: Turn['content_type']
  quick_action?: string
  /** Absent: those of the question that is asked again. */
  tools?: string[]
  regen?: true
  edit?: true
  continue?: true
}

/** Sends a question; the server's messages take the places of what stands for them, and the answer is followed. */
export async function create({ model, ...body }: Body, answer: Turn, question?: Turn): Promise<void> {
  const headers = { 'Idempotency-Key': idempotencyKey() }
  const whole = { ...body, model: model || null, related_prompts: wantsRelated() }
  const send = () => request('POST /api/chat/create', { body: whole }, { headers })
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
  if (stoppedEarly(answer.key)) await stop(body.sess_id)
}

/** The server's message takes the place of the answer; one that was to go on keeps its text. */
export function refuse(id: string, answer: Turn, prompt: string, error: unknown): void {
  const message = error instanceof ApiError ? error.message : chatText.noChatMessage
  const sign_in = error instanceof ApiError && error.status === 401
  if (sign_in) keepQuestion(prompt)
  stoppedEarly(answer.key)
  change(id, ({ turns }) => ({
    turns: changeTurn(turns, answer.key, (turn) => ({
      ...turn,
      text: answer.local ? '' : answer.text,
      status: 'failed',
      error: message,
      ...(sign_in ? { sign_in } : {}),
    })),
    sending: false,
  }))
}
