import type { GeneralQuestionBody } from '#contract/questions/questions.ts'
import { ApiError, request } from '#web/core/api.ts'
import { type Draft, isEmptyDraft } from '#web/core/draftStorage.ts'
import { messagesText } from '#web/text/messages.ts'
import { attachToLastAnswer } from './attach.ts'
import { notifySessionChange } from './tabSync.ts'
import { updateConversation, getConversation, reloadMessages } from './conversationStore.ts'
import { saveUnsentQuestion } from './questionText.ts'
import { isRelatedEnabled } from './relatedPrompts.ts'
import { stopAnswer, takeEarlyStop } from './stop.ts'
import { updateMessage, applyServerMessage, type Message } from './messages.ts'

export const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/**
 * A question to the general assistant, an agent or a document, which take the same fields: an agent ignores the model. `tools` is
 * absent when a question is asked again with the tools that it had.
 */
type AskBody = Omit<GeneralQuestionBody, 'chatbot' | 'related_prompts' | 'stream' | 'models'> & {
  sess_id: string
  prompt: string
  model: string
}

/** Sends a question. The server's messages replace the local ones, and the answer is followed. */
export async function sendQuestion(
  { model, ...body }: AskBody,
  answer: Message,
  question?: Message,
): Promise<void> {
  const headers = { 'Idempotency-Key': question?.idempotency_key ?? createIdempotencyKey() }
  const chatbot = getConversation(body.sess_id)?.chatbot
  const fullBody: GeneralQuestionBody = {
    ...body,
    chatbot,
    model: model || null,
    related_prompts: isRelatedEnabled(),
  }
  const send = () => request('POST /api/chat/create', { body: fullBody }, { headers })
  const createdTurn = await send().catch((error: unknown) => {
    // The question may have arrived although the response was lost: the same key does not ask it twice.
    if (error instanceof ApiError && error.status === 0) return send()
    throw error
  })
  if (!createdTurn.chat_message) throw new ApiError(500, { message: messagesText.noChatMessage })
  updateConversation(body.sess_id, ({ messages }) => {
    const withQuestion = question
      ? updateMessage(messages, question.key, (message) => applyServerMessage(message, createdTurn.question))
      : messages
    return {
      messages: updateMessage(withQuestion, answer.key, (message) =>
        applyServerMessage(message, createdTurn.chat_message),
      ),
      sending: false,
    }
  })
  if (getConversation(body.sess_id)?.isStale) await reloadMessages(body.sess_id)
  notifySessionChange(body.sess_id)
  attachToLastAnswer(body.sess_id)
  if (takeEarlyStop(answer.key)) await stopAnswer(body.sess_id)
}

/** The reason why a question was not sent; null where nothing is known but the missing response. */
function getUnsentReason(isKept: boolean): string | null {
  if (isKept) return navigator.onLine ? messagesText.notSent : messagesText.offline
  return navigator.onLine ? null : messagesText.disconnected
}

/**
 * Shows the reason of a refusal in the place of the answer; an answer to be continued keeps its text. If a sign-in is needed, the
 * question waits in the conversation's field. `isKept` tells that it is kept as a draft anyway.
 */
export function markFailed(
  id: string,
  answer: Message,
  draft: Draft,
  error: unknown,
  { isKept = false } = {},
): void {
  const failure =
    error instanceof ApiError ? error : new ApiError(500, { message: messagesText.noChatMessage })
  const needsSignIn = failure.status === 401
  if (needsSignIn && !isEmptyDraft(draft)) saveUnsentQuestion(id, draft)
  const isUnsent = failure.status === 0
  const { shortage } = failure
  const reason = isUnsent ? (getUnsentReason(isKept) ?? failure.message) : failure.message
  takeEarlyStop(answer.key)
  updateConversation(id, ({ messages }) => ({
    messages: updateMessage(messages, answer.key, (message) => ({
      ...message,
      text: answer.local ? '' : answer.text,
      status: 'failed',
      error: reason,
      ...(needsSignIn ? { sign_in: needsSignIn } : {}),
      ...(isUnsent ? { unsent: isUnsent } : {}),
      ...(shortage ? { shortage } : {}),
    })),
    sending: false,
  }))
}
