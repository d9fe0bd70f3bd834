import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import {
  findVisibleMessage,
  insertMessages,
  listFinishedMessages,
  listMessagesUpTo,
} from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { findCurrentSession, findSession, insertSession, lockSession, setCurrentSession } from './store.ts'
import type { SessionRow } from './store.ts'
import { deriveTitle } from './title.ts'

/** Messages of one statement: beyond it there are too many parameters. */
const BATCH_SIZE = 500
const TITLE_PREFIX = '分支 · '

/** The named session, or the current one of a channel. */
type SessionRef = { chatbot: string; sess_id?: string | null | undefined }

/** What of a message is copied to another place. */
export type CopiedMessage = Pick<MessageRow, 'role' | 'text' | 'content_type' | 'chat_model' | 'search'>

/**
 * The named messages (or all) of a session, and a title from them alone: that of the session may tell of a question that
 * is not among them. Throws AppError not_found for a session or a message that the user does not have.
 */
export async function readMessages(
  db: Db,
  user_id: string,
  { chatbot, sess_id, ids }: SessionRef & { ids?: readonly string[] | undefined },
) {
  const session = sess_id
    ? await findSession(db, user_id, sess_id)
    : await findCurrentSession(db, user_id, chatbot)
  if (!session) throw new AppError('not_found')
  const messages = await listFinishedMessages(db, user_id, session.id, ids)
  if (ids && messages.length < new Set(ids).size) throw new AppError('not_found')
  const withText = messages.filter(({ text }) => text !== '')
  const first = withText.find(({ role }) => role === 'human') ?? withText[0]
  return { sess_id: session.id, messages: withText, title: deriveTitle(first?.text ?? '') }
}

/** Creates a session of the user with copies of these messages, and makes it the current one of its channel. */
export async function createSessionFrom(
  db: Db,
  user_id: string,
  { chatbot, title, messages }: { chatbot: string; title: string; messages: readonly CopiedMessage[] },
): Promise<SessionRow> {
  return db.transaction(async (tx) => {
    // It has a title: the house pays for none of a copy, of which anybody can make any number.
    const session = await insertSession(tx, { user_id, chatbot, title, titled_by: 'model' })
    await setCurrentSession(tx, user_id, chatbot, session.id)
    await insertMessages(tx, toMessageRows(session.id, messages))
    return session
  })
}

/**
 * A question begins a turn; what follows up to the next question belongs to it, and each message is the child of the one
 * before. Ids grow in the order of the messages.
 */
function toMessageRows(sess_id: string, copied: readonly CopiedMessage[]) {
  let chat_id = createId()
  let parent_id = sess_id
  return copied.map(({ role, text, content_type, chat_model, search }, index) => {
    if (role === 'human' && index > 0) chat_id = createId()
    const model = { model: chat_model, chat_model }
    const ended = { stream: true, status: 'done' } as const
    const ids = { id: createId(), sess_id, chat_id, parent_id }
    parent_id = ids.id
    return { ...ids, role, text, content_type, search, ...model, ...ended, tools: [] }
  })
}

type ForkInput = {
  source: SessionRef
  /** The last message to copy; the last one of the session when absent. */
  message_id?: string | null | undefined
  /** Channel of the new session; that of the source when absent. */
  chatbot?: string | null | undefined
}

/**
 * Copies a session's turns, up to the one that a message belongs to, into a new session, which becomes the current one.
 * Throws AppError not_found, turn_running.
 */
export async function forkSession(
  db: Db,
  user_id: string,
  { source, message_id, chatbot }: ForkInput,
): Promise<SessionRow> {
  return db.transaction(async (tx) => {
    const id = source.sess_id ?? (await findCurrentSession(tx, user_id, source.chatbot))?.id
    const original = id && (await lockSession(tx, user_id, id))
    const last = original && (await findVisibleMessage(tx, original.id, message_id))
    if (!original || !last) throw new AppError('not_found')
    const messages = await listMessagesUpTo(tx, original.id, last.chat_id)
    if (messages.some(({ status }) => status === 'typing')) throw new AppError('turn_running')
    const { title, model, settings, titled_by } = original
    const session = await insertSession(tx, {
      user_id,
      chatbot: chatbot ?? original.chatbot,
      title: title.startsWith(TITLE_PREFIX) ? title : TITLE_PREFIX + title,
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

/** New ids in the old order: turns stay together, and each message keeps its place in the tree. */
function copyMessages(messages: MessageRow[], sess_id: string): MessageRow[] {
  const ids = new Map<string, string>()
  const getNewId = (id: string): string => ids.get(id) ?? ids.set(id, createId()).get(id)!
  return messages.map((message) => ({
    ...message,
    sess_id,
    chat_id: getNewId(message.chat_id),
    parent_id: ids.get(message.parent_id) ?? sess_id,
    id: getNewId(message.id),
  }))
}
