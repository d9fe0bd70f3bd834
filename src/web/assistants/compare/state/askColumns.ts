import { ApiError, request } from '#web/core/api.ts'
import { emptyDraft } from '#web/core/draftStorage.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { toast } from '#web/ui/toast.ts'
import {
  createIdempotencyKey,
  notifySessionChange,
  sendQuestion,
  toDraft,
  type Message,
} from '#web/conversations/conversations.ts'
import {
  addAnswer,
  addQuestion,
  applyCreated,
  applyFailure,
  findAnswer,
  getTurnKey,
  listAskedModels,
  updateColumns,
} from './comparison.ts'
import { getComparison, updateComparison, useComparisons } from './comparisonStore.ts'
import { ensureSession } from './columnModels.ts'
import { comparisonQuestions, getKey } from './follow.ts'

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
  await send(localId, models, {
    ensureSession: () => ensureSession(localId, onSession),
    body: { prompt, tools, content_type, ...(block ? { block } : {}) },
    idempotency_key,
    draft: toDraft({ text: prompt, block, content_type }),
  })
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
  const body = { prompt, chat_id, content_type, regen: true }
  await send(id, [model], { body, draft: emptyDraft })
}

/** Sends a question again that was refused or got lost. A lost one has its key, so that it is not asked twice. */
export function askAgain(id: string, turn: Message, onSession: (sessId: string) => void): Promise<void> {
  const columns = getComparison(id)?.columns ?? []
  const models = columns.filter((column) => findAnswer(column, turn)).map(({ model }) => model)
  const { text: prompt, tools, block, content_type, idempotency_key } = turn
  const same = idempotency_key ? { idempotency_key } : {}
  return askColumns(id, { prompt, models, tools, block, content_type, ...same }, onSession)
}

type Sending = Pick<
  Parameters<typeof sendQuestion>[1],
  'ensureSession' | 'body' | 'idempotency_key' | 'draft'
>

/** Sends a question to the columns of these models; the reason of a refusal stands in each. */
const send = (localId: string, models: readonly string[], { body, ...sending }: Sending): Promise<void> =>
  sendQuestion(comparisonQuestions, {
    ...sending,
    id: localId,
    body: { ...body, chatbot: 'compare', models: [...models] },
    stopKey: getKey(localId),
    onCreated: (id, created) =>
      updateComparison(id, ({ columns, session }) => ({
        columns: applyCreated(columns, created),
        session: session ?? created.session,
        sending: false,
      })),
    onFailed: (id, failure) =>
      updateComparison(id, ({ columns }) => ({
        columns: applyFailure(columns, models, failure),
        sending: false,
      })),
  })

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
