import type { chatCalls } from '#contract/chat.ts'
import type { Input } from '#contract/call.ts'
import { AppError } from '../../core/app-error.ts'
import { newId } from '../../core/clock.ts'
import type { Db } from '../../core/database.ts'
import { newestMessages } from '../store.ts'
import type { MessageRow } from '../store.ts'
import { continuable } from './continuable.ts'
import * as store from './store.ts'

type Question = Input<(typeof chatCalls)['POST /api/chat/create']>['body']

/** A turn about to be answered. */
export type Turn = {
  chat_id: string
  text: string
  /** The question, where it is stored already. */
  question?: MessageRow
  /** What a new question hangs below; of a turn at the end it is known when the conversation has been read. */
  parent_id?: string
  /** The answer that goes on. */
  answer?: MessageRow
}

/**
 * The turn that a question means, in a session that the caller has locked: a new one at the end, one to be answered again,
 * one with another question, or one whose answer goes on. What is to give way has stepped aside. Throws AppError.
 */
export async function beginTurn(tx: Db, sess_id: string, input: Question): Promise<Turn> {
  if ([input.regen, input.edit, input.continue].filter(Boolean).length > 1) throw new AppError('bad_request')
  if (input.edit) return edited(tx, sess_id, input)
  if (input.continue) return continued(tx, sess_id, input)
  if (input.regen) return again(tx, sess_id, input)
  return { chat_id: newId(), text: input.prompt }
}

async function again(tx: Db, sess_id: string, input: Question): Promise<Turn> {
  const question = await named(tx, sess_id, input)
  const { id, chat_id, text } = question
  if (!text.trim() && question.content_type !== 'audio') throw new AppError('empty_prompt')
  await store.stepAside(tx, sess_id, id, question)
  return { chat_id, text, question }
}

async function edited(tx: Db, sess_id: string, input: Question): Promise<Turn> {
  const question = await named(tx, sess_id, input)
  await store.stepAside(tx, sess_id, question.parent_id, question)
  return { chat_id: newId(), text: input.prompt, parent_id: question.parent_id }
}

async function continued(tx: Db, sess_id: string, input: Question): Promise<Turn> {
  const question = await named(tx, sess_id, input)
  const [last] = await newestMessages(tx, sess_id, { size: 1 })
  if (last?.chat_id !== question.chat_id || !continuable(last)) throw new AppError('not_continuable')
  return { chat_id: question.chat_id, text: question.text, question, answer: last }
}

/** The question of the named turn, or of the last one, brought into sight. */
async function named(tx: Db, sess_id: string, { chat_id }: Question): Promise<MessageRow> {
  const id = chat_id ?? (await newestMessages(tx, sess_id, { size: 1 }))[0]?.chat_id
  const question = id && (await store.questionOf(tx, sess_id, id))
  if (!question) throw new AppError(chat_id ? 'not_found' : 'empty_prompt')
  if (question.replaced_at) await store.show(tx, sess_id, question.id)
  return question
}
