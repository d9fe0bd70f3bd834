import type { GeneralQuestionBody } from '#contract/questions/questions.ts'
import type { Draft } from '#web/core/draftStorage.ts'
import { ApiError } from '#web/core/api.ts'
import { messagesText } from '#web/text/messages.ts'
import { conversationQuestions } from './attach.ts'
import { getConversation, updateConversation } from './conversationStore.ts'
import { applyServerMessage, updateMessage, type Message } from './messages.ts'
import { sendQuestion, type Failure } from './questions/sendQuestion.ts'
import { isRelatedEnabled } from './relatedPrompts.ts'

/**
 * A question to the general assistant, an agent or a document, which take the same fields: an agent ignores the model. `tools` is
 * absent when a question is asked again with the tools that it had.
 */
type AskBody = Omit<GeneralQuestionBody, 'chatbot' | 'sess_id' | 'related_prompts' | 'stream' | 'models'> & {
  prompt: string
  model: string
}

type Sending = {
  body: AskBody
  answer: Message
  /** Absent when the question is on the server already. */
  question?: Message
  /** The question, which waits in the conversation's field if a sign-in is needed. */
  draft: Draft
  ensureSession?: () => Promise<string>
  onFailed?: (id: string, failure: Failure) => void
}

/** Sends a question. The server's messages replace the local ones, and the answer is followed. */
export const send = (
  id: string,
  {
    body,
    answer,
    question,
    draft,
    ensureSession,
    onFailed = (id, failure) => markFailed(id, answer, failure),
  }: Sending,
): Promise<void> =>
  sendQuestion(conversationQuestions, {
    id,
    ...(ensureSession ? { ensureSession } : {}),
    body: {
      ...body,
      chatbot: getConversation(id)?.chatbot,
      model: body.model || null,
      related_prompts: isRelatedEnabled(),
    },
    idempotency_key: question?.idempotency_key,
    stopKey: answer.key,
    draft,
    onCreated(sessId, created) {
      if (!created.chat_message) throw new ApiError(500, { message: messagesText.noChatMessage })
      updateConversation(sessId, ({ messages }) => ({
        messages: messages.map((message) => {
          if (message.key === question?.key) return applyServerMessage(message, created.question)
          return message.key === answer.key ? applyServerMessage(message, created.chat_message) : message
        }),
        sending: false,
      }))
    },
    onFailed,
  })

/** The reason why a question was not sent; null where nothing is known but the missing response. */
function getUnsentReason(isKept: boolean): string | null {
  if (isKept) return navigator.onLine ? messagesText.notSent : messagesText.offline
  return navigator.onLine ? null : messagesText.disconnected
}

/**
 * Shows the reason of a refusal in the place of the answer; an answer to be continued keeps its text. `isKept` tells that the
 * question is kept as a draft.
 */
export function markFailed(
  id: string,
  answer: Message,
  { message: reason, marks }: Failure,
  { isKept = false } = {},
): void {
  updateConversation(id, ({ messages }) => ({
    messages: updateMessage(messages, answer.key, (message) => ({
      ...message,
      text: answer.local ? '' : answer.text,
      status: 'failed',
      error: (marks.unsent && getUnsentReason(isKept)) ?? reason,
      ...marks,
    })),
    sending: false,
  }))
}
