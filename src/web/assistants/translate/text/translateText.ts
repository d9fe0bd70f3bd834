import { ApiError, request } from '#web/core/api.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { translateMessages } from '#contract/translate/messages.ts'
import {
  getOnlyAnswer,
  readTurn,
  sendOnce,
  type AnswerEnd,
  type TurnState,
} from '#web/conversations/conversations.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { withToast } from '#web/ui/withToast.ts'

/** The chatbot of translations (specification section 9). */
export const FANYI = 'fanyi'

export type TextRequest = {
  prompt: string
  /** Null: the product's default model. */
  model: string | null
  target_lang: TargetLanguage
  tone: string
  /** The translation that this text is a new version of; null for a new one. */
  sess_id: string | null
  /** Asks the model even if the translation is known. */
  fresh?: boolean
}

export type StartedTranslation = { chat_id: string; sess_id: string; from_memory: boolean }

/** Returns the message for a failed call (specification section 8, Translate); 401, 429 and 5xx have their own. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 401) return translateMessages.signed_out
  if (error.status === 429) return translateMessages.too_many
  if (error.status >= 500) return translateMessages.server_error
  return error.message
}

async function createSession(): Promise<string> {
  const { session } = await request('POST /api/chat/session/new', { body: { chatbot: FANYI } })
  return session.id
}

/** Starts the translation of a text. Throws ApiError, also if the server names no turn to follow. */
export async function startTranslation(body: TextRequest): Promise<StartedTranslation> {
  const sessId = body.sess_id ?? (await createSession())
  const input = { body: { ...body, sess_id: sessId, biz_type: 'text' as const } }
  const { chat_id, from_memory } = await sendOnce((options) => request('POST /api/translate', input, options))
  if (!chat_id) throw new ApiError(400, { message: translateMessages.bad_request })
  return { chat_id, sess_id: sessId, from_memory }
}

/** Follows a translation to its end. `onText` gets the text so far, at intervals. Rejects only when `signal` aborts. */
export async function followTranslation(
  { chat_id }: Pick<StartedTranslation, 'chat_id'>,
  { model, target_lang }: Pick<TextRequest, 'model' | 'target_lang'>,
  onText: (result: string) => void,
  signal: AbortSignal,
): Promise<{ result: string; error: string | null }> {
  const query = { chat_id, chatbot: FANYI, target_lang, ...(model ? { model } : {}) }
  const show = (turn: TurnState) => onText(getOnlyAnswer(turn).text)
  const { turn, failure } = await readTurn(query, show, signal)
  const { text: result, end } = getOnlyAnswer(turn)
  return { result, error: describeEnd(failure ?? end) }
}

function describeEnd(end: AnswerEnd | null): string | null {
  switch (end?.state) {
    case 'done':
      return null
    case 'failed':
      return end.message
    case 'gone':
      return text.gone
    case 'cancelled':
      return text.interrupted
    default:
      return text.lost
  }
}

/** Saves the person's own wording, or that they like the translation, for all their devices. */
export const changeTranslation = (
  chatId: string,
  body: { text?: string; liked?: boolean },
): Promise<unknown> =>
  withToast(() => request('PATCH /api/translate/{chat_id}', { params: { chat_id: chatId }, body }))

/** Stops a translation: nothing more is produced or charged. */
export const cancelTranslation = (chatId: string): Promise<unknown> =>
  request('POST /api/chat/cancel', { body: { chat_id: chatId } })
