import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { MessageRow } from '../messages/store.ts'
import { lockSessionOfTurn } from '../sessions/store.ts'
import { listTurnMessages, selectAnswers, updateAnswer } from './store.ts'
import type { AnswerChange } from './store.ts'

export type TurnRef = { chatbot: string; chat_id: string }

/** Changes an ended answer as its reader may; `onChange` gets the earlier state. Throws AppError not_found, turn_running. */
export async function changeAnswer(
  tx: Db,
  userId: string,
  { chatbot, chat_id }: TurnRef,
  change: AnswerChange,
  onChange: (before: { question: MessageRow; answer: MessageRow }) => Promise<void>,
): Promise<MessageRow> {
  const session = await lockSessionOfTurn(tx, userId, chat_id)
  const turn = session?.chatbot === chatbot ? await listTurnMessages(tx, userId, chat_id) : []
  const question = turn.find(({ role }) => role === 'human')
  const [answer] = selectAnswers(turn)
  if (!question || !answer) throw new AppError('not_found')
  if (answer.status === 'typing') throw new AppError('turn_running')
  await updateAnswer(tx, answer.id, change)
  await onChange({ question, answer })
  return { ...answer, ...change }
}
