import type { sessionCalls } from '#contract/sessions.ts'
import type { Input } from '#contract/call.ts'
import { DATI } from '#contract/chatbot.ts'
import { AppError } from '../../core/app-error.ts'
import { newId } from '../../core/clock.ts'
import type { Db } from '../../core/database.ts'
import { currentSession, insertMessages, lockSession, setCurrent } from '../store.ts'
import type { MessageRow, SessionRow } from '../store.ts'
import { insertSession, messageOf, messagesUpTo } from './store.ts'

type Fork = Input<(typeof sessionCalls)['POST /api/chat/session/fork']>['body']

/** Messages of one statement: beyond it there are too many parameters. */
const AT_ONCE = 500
const MARK = '分支 · '

/**
 * Copies a session's turns, up to the one that a message belongs to, into a new session, which becomes the current one.
 * Throws AppError: agent_required, channel_unavailable, not_found, turn_running.
 */
export async function fork(
  db: Db,
  user_id: string,
  { chatbot, sess_id, message_id }: Fork,
): Promise<SessionRow> {
  if (chatbot === 'zhiku') throw new AppError('agent_required')
  if (chatbot && chatbot !== DATI) throw new AppError('channel_unavailable')
  return db.transaction(async (tx) => {
    const id = sess_id ?? (await currentSession(tx, user_id, chatbot ?? DATI))?.id
    const source = id && (await lockSession(tx, user_id, id))
    const last = source && (await messageOf(tx, source.id, message_id))
    if (!source || !last) throw new AppError('not_found')
    const messages = await messagesUpTo(tx, source.id, last.chat_id)
    if (messages.some(({ status }) => status === 'typing')) throw new AppError('turn_running')
    const { model, settings, titled_by } = source
    const session = await insertSession(tx, {
      user_id,
      chatbot: chatbot ?? source.chatbot,
      title: source.title.startsWith(MARK) ? source.title : MARK + source.title,
      titled_by: titled_by === 'question' ? 'model' : titled_by,
      model,
      settings,
    })
    const copies = copiesOf(messages, session.id)
    for (let from = 0; from < copies.length; from += AT_ONCE) {
      await insertMessages(tx, copies.slice(from, from + AT_ONCE))
    }
    await setCurrent(tx, user_id, session.chatbot, session.id)
    return session
  })
}

/** New ids in the old order, so that turns stay together and each message follows the one before it. */
function copiesOf(messages: MessageRow[], sess_id: string): MessageRow[] {
  const turns = new Map(messages.map(({ chat_id }) => [chat_id, '']))
  for (const chat_id of turns.keys()) turns.set(chat_id, newId())
  let parent_id = sess_id
  return messages.map((message) => {
    const copy = { ...message, id: newId(), sess_id, parent_id, chat_id: turns.get(message.chat_id)! }
    parent_id = copy.id
    return copy
  })
}
