import type { ComparisonQuestionBody } from '#contract/questions/questions.ts'
import { ApiError, request } from '#web/core/api.ts'
import { type Draft, emptyDraft, isEmptyDraft } from '#web/core/draftStorage.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { messagesText } from '#web/text/messages.ts'
import { toast } from '#web/ui/toast.ts'
import {
  createIdempotencyKey,
  notifySessionChange,
  saveUnsentQuestion,
  toDraft,
  type Message,
} from '#web/conversations/conversations.ts'
import {
  addAnswer,
  addQuestion,
  applyCreated,
  applyRefused,
  findAnswer,
  getTurnKey,
  listAskedModels,
  updateColumns,
} from './comparison.ts'
import { getComparison, reloadComparison, updateComparison, useComparisons } from './comparisonStore.ts'
import { ensureSession } from './columnModels.ts'
import { toDraftKey } from './comparisonQueue.ts'
import { followAgain } from './follow.ts'

type ColumnQuestion = {
  prompt: string
  /** Models of the columns to ask. */
  models: readonly string[]
  tools: string[]
  block: string | null
  content_type: Message['content_type']
  /** Given when the same question is sent again. */
  idempotency_key?: string
}

/** The current id of a comparison, whose draft may have been given a session since. */
const toCurrentId = (id: string): string => useComparisons.getState().sessionByLocalId[id] ?? id

/** Comparisons that were stopped before the server had given their turn an id. */
const stoppedEarly = new Set<string>()

/**
 * Asks columns the same question. It and the placeholders appear at once; then the server's messages replace them. Either all of
 * them are asked, or none: then the server's reason stands in each.
 */
async function askColumns(
  localId: string,
  { prompt, models, tools, block, content_type, idempotency_key = createIdempotencyKey() }: ColumnQuestion,
  onSession: (sessId: string) => void,
): Promise<void> {
  const question = { prompt, models, tools, block, content_type, idempotency_key }
  updateComparison(localId, ({ columns }) => ({
    columns: addQuestion(columns, question),
    sending: true,
    loadError: null,
  }))
  let id = localId
  try {
    id = await ensureSession(localId, onSession)
    const body = { prompt, models: [...models], tools, content_type, ...(block ? { block } : {}) }
    await createTurn(id, models, body, idempotency_key)
  } catch (error) {
    refuse(id, models, error, toDraft({ text: prompt, block, content_type }))
  }
}

/**
 * Asks one column, or all present columns. A queued question may have been written before the comparison had its session, and the
 * columns may have changed since.
 */
export function askCurrentColumns(
  localId: string,
  target: string | null,
  question: Omit<ColumnQuestion, 'models'>,
  onSession: (sessId: string) => void,
): Promise<void> {
  const id = toCurrentId(localId)
  const models = listAskedModels(getComparison(id)?.columns ?? [], target)
  return askColumns(id, { ...question, models }, onSession)
}

/** Asks one column the question of a turn again; an answer that it had stays as a version. */
export async function answerAgain(id: string, model: string, turn: Message): Promise<void> {
  updateComparison(id, ({ columns }) => ({ columns: addAnswer(columns, model, turn), sending: true }))
  const { text: prompt, chat_id, content_type } = turn
  try {
    await createTurn(id, [model], { prompt, chat_id, content_type, models: [model], regen: true })
  } catch (error) {
    refuse(id, [model], error, emptyDraft)
  }
}

/** Sends a question again that was refused or got lost. A lost one keeps its key, so that it is not asked twice. */
export function askAgain(id: string, turn: Message, onSession: (sessId: string) => void): Promise<void> {
  const columns = getComparison(id)?.columns ?? []
  const models = columns.filter((column) => findAnswer(column, turn)).map(({ model }) => model)
  const { text: prompt, tools, block, content_type, idempotency_key } = turn
  const isUnsent = columns.some((column) => findAnswer(column, turn)?.unsent)
  const same = isUnsent && idempotency_key ? { idempotency_key } : {}
  return askColumns(id, { prompt, models, tools, block, content_type, ...same }, onSession)
}

type Body = Pick<
  ComparisonQuestionBody,
  'prompt' | 'models' | 'content_type' | 'tools' | 'block' | 'chat_id' | 'regen'
>

async function createTurn(
  id: string,
  models: readonly string[],
  body: Body,
  idempotencyKey = createIdempotencyKey(),
): Promise<void> {
  const headers = { 'Idempotency-Key': idempotencyKey }
  const fullBody: ComparisonQuestionBody = { ...body, sess_id: id, chatbot: 'compare' }
  const send = () => request('POST /api/chat/create', { body: fullBody }, { headers })
  const createdTurn = await send().catch((error: unknown) => {
    // The question may have arrived although the response was lost: the same key does not ask it twice.
    if (error instanceof ApiError && error.status === 0) return send()
    throw error
  })
  updateComparison(id, ({ columns, session }) => ({
    columns: applyCreated(columns, createdTurn),
    session: session ?? createdTurn.session,
    sending: false,
  }))
  if (getComparison(id)?.isStale) await reloadComparison(id)
  notifySessionChange(id)
  const { chat_id } = createdTurn.question
  followAgain(id, chat_id, models)
  if (stoppedEarly.delete(id)) await stopAnswers(id, chat_id)
}

/** Shows the reason of a refusal in each column, and logs when the server did not answer. */
function refuse(id: string, models: readonly string[], error: unknown, draft: Draft): void {
  const failure =
    error instanceof ApiError ? error : new ApiError(500, { message: messagesText.noChatMessage })
  const { status, message, shortage } = failure
  if (status === 401 && !isEmptyDraft(draft)) saveUnsentQuestion(toDraftKey(id), draft)
  if (status === 0) console.warn('compare: the server did not answer')
  stoppedEarly.delete(id)
  updateComparison(id, ({ columns }) => ({
    columns: applyRefused(columns, models, {
      error: message,
      ...(status === 401 ? { sign_in: true } : {}),
      ...(status === 0 ? { unsent: true } : {}),
      ...(shortage ? { shortage } : {}),
    }),
    sending: false,
  }))
}

/** Stops the answers to a turn that are being written, or one of them; text written so far stays. */
async function stopAnswers(id: string, chatId: string, model?: string): Promise<void> {
  if (!chatId) return void stoppedEarly.add(id)
  try {
    await request('POST /api/chat/cancel', { body: { chat_id: chatId, model: model ?? null } })
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : messagesText.noChatMessage)
  }
  await reloadComparison(id)
  notifySessionChange(id)
}

/** Stops all answers of these columns. */
export async function stopColumns(id: string, models: readonly string[]): Promise<void> {
  const columns = getComparison(id)?.columns.filter(({ model }) => models.includes(model)) ?? []
  const typing = columns.flatMap(({ model, messages }) =>
    messages.filter(({ status }) => status === 'typing').map(({ chat_id }) => ({ model, chat_id })),
  )
  const isAll = models.length === getComparison(id)?.columns.length
  const turns = Map.groupBy(typing, ({ chat_id }) => chat_id)
  await Promise.all(
    [...turns].flatMap(([chatId, answers]) =>
      isAll ? [stopAnswers(id, chatId)] : answers.map(({ model }) => stopAnswers(id, chatId, model)),
    ),
  )
}

/** Removes a question that the server did not accept. */
export const removeRefused = (id: string, turn: Message): void =>
  updateComparison(id, ({ columns }) => ({
    columns: updateColumns(
      columns,
      columns.map(({ model }) => model),
      (messages) => {
        const at = messages.findIndex((message) => getTurnKey(message) === getTurnKey(turn))
        return at < 0 ? messages : messages.toSpliced(at, 2)
      },
    ),
  }))

/** Opens a conversation with the general assistant that continues after an answer; returns its session. */
export async function continueWith(sessId: string, answer: Message): Promise<string | null> {
  try {
    const { session } = await request(
      'POST /api/chat/session/fork',
      { body: { chatbot: 'dati', sess_id: sessId, message_id: answer.id } },
      { failed: compareText.continueFailed },
    )
    notifySessionChange(session.id)
    return session.id
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : compareText.continueFailed)
    return null
  }
}
