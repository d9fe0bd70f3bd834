import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { listRunningAnswers } from '../messages/store.ts'
import type { MessageRow, VersionedRow } from '../messages/store.ts'
import { lockSession } from '../sessions/store.ts'
import * as store from './store.ts'

/** Shows another version of a message and the messages that follow it. Throws AppError not_found, turn_running. */
export async function chooseVersion(db: Db, userId: string, id: string): Promise<VersionedRow> {
  return db.transaction(async (tx) => {
    const message = requireRow(await store.findMessage(tx, userId, id))
    await lockIdleSession(tx, userId, message)
    await store.showBranch(tx, message.sess_id, id)
    return requireRow(await store.findMessage(tx, userId, id))
  })
}

/** Deletes a turn: its question and all answers; later turns stay. Throws AppError not_found, turn_running. */
export async function deleteTurn(db: Db, userId: string, chatId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { sess_id } = requireRow((await store.listTurnMessages(tx, userId, chatId))[0])
    await lockIdleSession(tx, userId, { sess_id })
    // Read again under the lock: it may have another parent, or be gone.
    await store.deleteTurn(tx, requireRow(await store.findQuestion(tx, sess_id, chatId)))
  })
}

/** Locks a session in which no answer is running: a running answer stays visible to its readers. */
async function lockIdleSession(
  tx: Db,
  userId: string,
  { sess_id }: Pick<MessageRow, 'sess_id'>,
): Promise<void> {
  requireRow(await lockSession(tx, userId, sess_id))
  if ((await listRunningAnswers(tx, sess_id)).length) throw new AppError('turn_running')
}

function requireRow<Row>(row: Row | undefined): Row {
  if (!row) throw new AppError('not_found')
  return row
}
