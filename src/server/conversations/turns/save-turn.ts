import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { PrefilledAnswer, QuestionFields } from '../assistant.ts'
import { insertMessages } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { deleteStreamLogs } from '#server/runs/runs.ts'
import { touchSession } from '../sessions/store.ts'
import type { SessionRow, TouchedSession } from '../sessions/store.ts'
import { deriveTitle } from '../sessions/title.ts'
import type { PendingTurn } from './resolve-turn.ts'
import { findMessage, resumeAnswer } from './store.ts'

export type CreatedTurn = { session: TouchedSession; question: MessageRow; answers: MessageRow[] }

type TurnToSave = {
  input: QuestionFields & { stream: boolean }
  answers: AnswerToSave[]
  parent_id: string
}
type AnswerToSave = Pick<MessageRow, 'model' | 'tools' | 'agent' | 'lane'> & {
  /** Null for an answer that is known as a whole. */
  run_id: string | null
  prefilled: PrefilledAnswer | null
}

/** Stores the messages of a turn whose runs are held, and its changes to the session. */
export async function saveTurn(
  tx: Db,
  session: SessionRow,
  turn: PendingTurn,
  values: TurnToSave,
): Promise<CreatedTurn> {
  const { input } = values
  const { question, answers } = await (turn.answer
    ? resumeTurn(tx, turn, values)
    : insertTurn(tx, session, turn, values))
  return {
    session: await touchSession(tx, session.id, answers[0]!.model, deriveTitle(turn.text)),
    // New messages at the end of a conversation have no other versions.
    question: input.edit ? (await withVersions(tx, session, [question]))[0]! : question,
    answers: input.regen || input.continue ? await withVersions(tx, session, answers) : answers,
  }
}

async function withVersions(tx: Db, { user_id }: SessionRow, rows: MessageRow[]): Promise<MessageRow[]> {
  const rowsWithVersions: MessageRow[] = []
  for (const row of rows) rowsWithVersions.push((await findMessage(tx, user_id, row.id)) ?? row)
  return rowsWithVersions
}

type SavedTurn = Pick<CreatedTurn, 'question' | 'answers'>

async function insertTurn(
  tx: Db,
  session: SessionRow,
  turn: PendingTurn,
  { input, answers, parent_id }: TurnToSave,
): Promise<SavedTurn> {
  const shared = {
    sess_id: session.id,
    chat_id: turn.chat_id,
    stream: input.stream,
    block: input.block ?? null,
    quick_action: input.quick_action ?? null,
  }
  const { model, tools } = answers[0]!
  const questionRow = {
    ...shared,
    id: turn.question?.id ?? createId(),
    parent_id,
    role: 'human',
    model,
    chat_model: model,
    tools,
    text: turn.text,
    status: 'done',
    content_type: input.content_type ?? 'text',
    tone: input.tone ?? null,
  } as const
  const answerRows = answers.map(
    ({ prefilled, ...answer }) =>
      ({
        ...shared,
        ...answer,
        id: createId(),
        parent_id: questionRow.id,
        role: 'ai',
        chat_model: answer.model,
        text: prefilled ? prefilled.start + (answer.run_id ? '' : prefilled.end) : '',
        known_end: answer.run_id ? (prefilled?.end ?? null) : null,
        status: answer.run_id ? 'typing' : 'done',
        content_type: 'text',
        wants_related: input.related_prompts,
      }) as const,
  )
  const rows = await insertMessages(tx, [...(turn.question ? [] : [questionRow]), ...answerRows])
  return { question: turn.question ?? rows[0]!, answers: rows.slice(-answers.length) }
}

async function resumeTurn(
  tx: Db,
  { question, answer }: PendingTurn,
  { input, answers }: TurnToSave,
): Promise<SavedTurn> {
  const { stream, related_prompts: wantsRelated } = input
  const { run_id, model } = answers[0]!
  const run = { run_id, model, chat_model: model, stream, wants_related: wantsRelated }
  // The answer has the previous run's text. That run's log is deleted here, as deleting the answer later would not find it.
  await deleteStreamLogs(tx, [answer!.run_id])
  return { question: question!, answers: [await resumeAnswer(tx, answer!.id, run)] }
}
