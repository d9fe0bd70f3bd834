import type { CallResponse } from '#contract/call.ts'
import type { AllCalls } from '#contract/calls.ts'
import type { ComparisonQuestionBody, GeneralQuestionBody } from '#contract/questions/questions.ts'
import { ApiError, request } from '#web/core/api.ts'
import { type Draft, isEmptyDraft } from '#web/core/draftStorage.ts'
import { messagesText } from '#web/text/messages.ts'
import type { Message } from '../messages.ts'
import { saveUnsentQuestion } from '../questionText.ts'
import { notifySessionChange } from '../tabSync.ts'
import type { QuestionStore } from './questionStore.ts'
import { takeEarlyStop } from './stopTurn.ts'

type CreateCall = AllCalls['POST /api/chat/create']
type QuestionBody = Omit<GeneralQuestionBody, 'sess_id'> | Omit<ComparisonQuestionBody, 'sess_id'>
type CreatedTurn = CallResponse<CreateCall>

/** The reason why a question was not sent, and its marks on the answers. */
export type Failure = {
  message: string
  /** The server created nothing. */
  isRefused: boolean
  marks: Pick<Message, 'sign_in' | 'unsent' | 'shortage'>
}

type QuestionToSend = {
  /** A draft is given its session by `ensureSession`, which returns its id. */
  id: string
  ensureSession?: () => Promise<string>
  body: QuestionBody
  idempotency_key?: string | undefined
  /** Names the question while it is on its way, for `stopWhenSent`. */
  stopKey: string
  /** Waits in the field where a sign-in is needed. */
  draft: Draft
  /** Puts the server's messages in the place of the local ones. */
  onCreated: (id: string, created: CreatedTurn) => void
  /** Shows the reason in the place of the answers. */
  onFailed: (id: string, failure: Failure) => void
}

export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** A refused question without its key: it may be asked differently, for example of another model, which is another request. */
export function withoutKey(question: Message): Message {
  const { idempotency_key: _, ...refused } = question
  return refused
}

/** Sends a request; once more if its response was lost, since the same key does not ask twice. */
export function sendOnce<Response>(
  send: (options: { headers: Record<string, string> }) => Promise<Response>,
  key = createIdempotencyKey(),
): Promise<Response> {
  const options = { headers: { 'Idempotency-Key': key } }
  return send(options).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 0) return send(options)
    throw error
  })
}

/** Sends a question, and follows its answers. */
export async function sendQuestion(store: QuestionStore, question: QuestionToSend): Promise<void> {
  const { body, idempotency_key, stopKey, draft } = question
  let { id } = question
  try {
    if (question.ensureSession) id = await question.ensureSession()
    const created = await sendOnce(
      (options) => request('POST /api/chat/create', { body: { ...body, sess_id: id } }, options),
      idempotency_key,
    )
    question.onCreated(id, created)
    if (store.isStale(id)) await store.reload(id)
    notifySessionChange(id)
    const { chat_id } = created.question
    store.follow(id, chat_id, body.models ?? [])
    if (takeEarlyStop(stopKey)) await store.stop(id, chat_id)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.marks.sign_in && !isEmptyDraft(draft)) saveUnsentQuestion(store.toDraftKey(id), draft)
    takeEarlyStop(stopKey)
    question.onFailed(id, failure)
  }
}

function toFailure(error: unknown): Failure {
  const { status, message, shortage } =
    error instanceof ApiError ? error : new ApiError(500, { message: messagesText.noChatMessage })
  return {
    message,
    isRefused: status >= 400 && status < 500,
    marks: {
      ...(status === 401 ? { sign_in: true } : {}),
      ...(status === 0 ? { unsent: true } : {}),
      ...(shortage ? { shortage } : {}),
    },
  }
}
