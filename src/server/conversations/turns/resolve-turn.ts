import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Lane, QuestionFields } from '../assistant.ts'
import { listNewestMessages } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { isContinuable } from '../presentation.ts'
import * as store from './store.ts'

/** A turn about to be answered. */
export type PendingTurn = {
  chat_id: string
  text: string
  /** The question, if it is stored already. */
  question?: MessageRow
  /** Parent of a new question; for a turn at the end, it is known once the conversation has been read. */
  parent_id?: string
  /** The answer to continue. */
  answer?: MessageRow
}

type PresentState = {
  /** The requested lanes, in a conversation that has lanes. */
  lanes: Lane[] | undefined
  /** An answer is being written, in a lane that was not requested. */
  running: boolean
}

/**
 * Returns the turn that a request means, in a session that the caller has locked: a new one at the end, one to answer again, one
 * with another question, or one whose answer continues. Hides the messages that it replaces. Throws AppError.
 */
export async function resolveTurn(
  tx: Db,
  sessId: string,
  input: QuestionFields,
  present: PresentState,
): Promise<PendingTurn> {
  if ([input.regen, input.edit, input.continue].filter(Boolean).length > 1) throw new AppError('bad_request')
  if (input.edit) return editTurn(tx, sessId, input, present)
  if (input.continue) return continueTurn(tx, sessId, input, present)
  if (input.regen) return regenerateTurn(tx, sessId, input, present)
  return { chat_id: createId(), text: input.prompt }
}

async function regenerateTurn(
  tx: Db,
  sessId: string,
  input: QuestionFields,
  present: PresentState,
): Promise<PendingTurn> {
  const question = await requireQuestion(tx, sessId, input, present)
  const { id, chat_id, text } = question
  if (!text.trim() && question.content_type !== 'audio') throw new AppError('empty_prompt')
  if (present.lanes)
    await store.hideAnswers(
      tx,
      sessId,
      id,
      present.lanes.map(({ model }) => model),
    )
  else await store.hideBranch(tx, sessId, id, question)
  return { chat_id, text, question }
}

async function editTurn(
  tx: Db,
  sessId: string,
  input: QuestionFields,
  present: PresentState,
): Promise<PendingTurn> {
  const question = await requireQuestion(tx, sessId, input, present)
  await store.hideBranch(tx, sessId, question.parent_id, question)
  return { chat_id: createId(), text: input.prompt, parent_id: question.parent_id }
}

async function continueTurn(
  tx: Db,
  sessId: string,
  input: QuestionFields,
  present: PresentState,
): Promise<PendingTurn> {
  const question = await requireQuestion(tx, sessId, input, present)
  const [last] = await listNewestMessages(tx, sessId, { size: 1 })
  if (last?.chat_id !== question.chat_id || !isContinuable(last)) throw new AppError('not_continuable')
  return { chat_id: question.chat_id, text: question.text, question, answer: last }
}

/** Returns the question of the named turn, or of the last one, and makes it visible. */
async function requireQuestion(
  tx: Db,
  sessId: string,
  { chat_id }: QuestionFields,
  { running }: PresentState,
): Promise<MessageRow> {
  const id = chat_id ?? (await listNewestMessages(tx, sessId, { size: 1 }))[0]?.chat_id
  const question = id && (await store.findQuestion(tx, sessId, id))
  if (!question) throw new AppError(chat_id ? 'not_found' : 'empty_prompt')
  if (question.hidden_at) {
    // An answer that is being written must stay visible to its readers.
    if (running) throw new AppError('turn_running')
    await store.showBranch(tx, sessId, question.id)
  }
  return question
}
