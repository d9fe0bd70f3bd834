import type { sessionCalls } from '#contract/conversations/sessions.ts'
import type { HandlerInput } from '#contract/call.ts'
import { DATI } from '#contract/chatbot.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { findCurrentSession, insertMessages, lockSession, setCurrentSession } from '../store.ts'
import type { MessageRow, SessionRow } from '../store.ts'
import { insertSession, findVisibleMessage, listMessagesUpTo } from './store.ts'

type ForkInput = HandlerInput<(typeof sessionCalls)['POST /api/chat/session/fork']>['body']

/** Messages of one statement: beyond it there are too many parameters. */
const BATCH_SIZE = 500
const TITLE_PREFIX = '分支 · '

/**
 * Copies a session's turns, up to the one that a message belongs to, into a new session, which becomes the current one.
 * Throws AppError: agent_required, channel_unavailable, not_found, turn_running.
 */
export async function forkSession(
  db: Db,
  user_id: string,
  { chatbot, sess_id, message_id }: ForkInput,
): Promise<SessionRow> {
  if (chatbot === 'zhiku') throw new AppError('agent_required')
  if (chatbot && chatbot !== DATI) throw new AppError('channel_unavailable')
  return db.transaction(async (tx) => {
    const id = sess_id ?? (await findCurrentSession(tx, user_id, chatbot ?? DATI))?.id
    const source = id && (await lockSession(tx, user_id, id))
    const last = source && (await findVisibleMessage(tx, source.id, message_id))
    if (!source || !last) throw new AppError('not_found')
    const messages = await listMessagesUpTo(tx, source.id, last.chat_id)
    if (messages.some(({ status }) => status === 'typing')) throw new AppError('turn_running')
    const { model, settings, titled_by } = source
    const session = await insertSession(tx, {
      user_id,
      chatbot: chatbot ?? source.chatbot,
      title: source.title.startsWith(TITLE_PREFIX) ? source.title : TITLE_PREFIX + source.title,
      titled_by: titled_by === 'question' ? 'model' : titled_by,
      model,
      settings,
    })
    const copies = copyMessages(messages, session.id)
    for (let from = 0; from < copies.length; from += BATCH_SIZE) {
      await insertMessages(tx, copies.slice(from, from + BATCH_SIZE))
    }
    await setCurrentSession(tx, user_id, session.chatbot, session.id)
    return session
  })
}

/** New ids in the old order, so that turns stay together and each message follows the one before it. */
function copyMessages(messages: MessageRow[], sess_id: string): MessageRow[] {
  const turns = new Map(messages.map(({ chat_id }) => [chat_id, '']))
  for (const chat_id of turns.keys()) turns.set(chat_id, createId())
  let parent_id = sess_id
  return messages.map((message) => {
    const copy = { ...message, id: createId(), sess_id, parent_id, chat_id: turns.get(message.chat_id)! }
    parent_id = copy.id
    return copy
  })
}
