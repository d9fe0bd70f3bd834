import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import {
  findVisibleMessage,
  insertMessages,
  listFinishedMessages,
  listMessagesUpTo,
} from '../messages/store.ts'
import { lockFolderOfSession } from '../folders/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { findAssistant } from '../assistant.ts'
import type { Assistants } from '../assistant.ts'
import {
  findCurrentSession,
  findReferencedSession,
  insertSession,
  lockSession,
  setCurrentSession,
} from './store.ts'
import type { SessionRef, SessionRow } from './store.ts'
import { deriveTitle } from './title.ts'

/** Messages of one statement: more would have too many parameters. */
const BATCH_SIZE = 500
const TITLE_PREFIX = '分支 · '

/** The part of a message that is copied elsewhere. */
export type CopiedMessage = Pick<
  MessageRow,
  'role' | 'text' | 'content_type' | 'chat_model' | 'agent' | 'search'
>

/**
 * Reads the named messages (or all) of a session, and makes a title of them alone: the session's own may reveal a question that
 * is not among them. Throws AppError not_found for a session or a message that the user does not have.
 */
export async function readMessages(
  db: Db,
  userId: string,
  { ids, ...ref }: SessionRef & { ids?: readonly string[] | undefined },
) {
  const session = await findReferencedSession(db, userId, ref)
  if (!session) throw new AppError('not_found')
  const messages = await listFinishedMessages(db, userId, session.id, ids)
  if (ids && messages.length < new Set(ids).size) throw new AppError('not_found')
  const withText = messages.filter(({ text }) => text !== '')
  const first = withText.find(({ role }) => role === 'human') ?? withText[0]
  return { sess_id: session.id, messages: withText, title: deriveTitle(first?.text ?? '') }
}

/** Creates a session with copies of these messages, and makes it the current one of its channel. */
export async function createSessionFrom(
  db: Db,
  userId: string,
  { chatbot, title, messages }: { chatbot: string; title: string; messages: readonly CopiedMessage[] },
): Promise<SessionRow> {
  return db.transaction(async (tx) => {
    // It has a title already: the operator pays for no titles of copies, which anybody can make in any number.
    const session = await insertSession(tx, { user_id: userId, chatbot, title, titled_by: 'model' })
    await setCurrentSession(tx, userId, chatbot, session.id)
    await insertMessages(tx, toMessageRows(session.id, messages))
    return session
  })
}

/**
 * A question begins a turn, and the messages up to the next question belong to it; each message is the child of the one before.
 * Ids grow in the order of the messages.
 */
function toMessageRows(sessId: string, copied: readonly CopiedMessage[]) {
  let chatId = createId()
  let parentId = sessId
  return copied.map(({ role, text, content_type, chat_model, agent, search }, index) => {
    if (role === 'human' && index > 0) chatId = createId()
    const model = { model: chat_model, chat_model }
    const endState = { stream: true, status: 'done' } as const
    const ids = { id: createId(), sess_id: sessId, chat_id: chatId, parent_id: parentId }
    parentId = ids.id
    return { ...ids, role, text, content_type, agent, search, ...model, ...endState, tools: [] }
  })
}

export type ForkInput = {
  source: { chatbot: string; sess_id?: string | null | undefined }
  /** The last message to copy; the last one of the session when absent. */
  message_id?: string | null | undefined
  /** Channel of the new session; the source's when absent. */
  chatbot?: string | null | undefined
}

/**
 * Copies a session's turns, up to the one of a message, into a new session, which becomes the current one. From answers side by
 * side, a channel without lanes gets one lane: the message's, with the questions asked in it. Throws AppError not_found,
 * turn_running.
 */
export async function forkSession(
  { db, assistants }: { db: Db; assistants: Assistants },
  userId: string,
  { source, message_id, chatbot }: ForkInput,
): Promise<SessionRow> {
  return db.transaction(async (tx) => {
    const id = source.sess_id ?? (await findCurrentSession(tx, userId, source.chatbot))?.id
    // Locked before the session, in the order in which deleting a folder locks them; else each could wait for the other.
    const lockedFolder = id && (await lockFolderOfSession(tx, userId, id))
    const original = id && (await lockSession(tx, userId, id))
    const last = original && (await findVisibleMessage(tx, original.id, message_id))
    if (!original || !last) throw new AppError('not_found')
    const assistant = findAssistant(assistants, chatbot ?? original.chatbot)
    const all = await listMessagesUpTo(tx, original.id, last.chat_id)
    const line = assistant?.getLanes ? null : selectLine(all, last)
    const messages = line ?? all
    if (messages.some(({ status }) => status === 'typing')) throw new AppError('turn_running')
    const { title, settings, titled_by } = original
    const session = await insertSession(tx, {
      user_id: userId,
      chatbot: chatbot ?? original.chatbot,
      title: title.startsWith(TITLE_PREFIX) ? title : TITLE_PREFIX + title,
      titled_by: titled_by === 'question' ? 'model' : titled_by,
      model: line ? line.at(-1)!.model : original.model,
      settings,
      // If the session was moved just then, the copy gets no folder, since the new one is not locked.
      folder_id: original.folder_id === lockedFolder ? original.folder_id : null,
    })
    const copies = copyMessages(messages, session.id)
    const linked = line ? copies.map((copy, index) => toLink(copy, copies[index - 1])) : copies
    for (let from = 0; from < linked.length; from += BATCH_SIZE) {
      await insertMessages(tx, linked.slice(from, from + BATCH_SIZE))
    }
    await assistant?.onFork?.(tx, original.id, session.id)
    await setCurrentSession(tx, userId, session.chatbot, session.id)
    return session
  })
}

/** Selects the questions and answers of one lane, from the first to the last; null without lanes. */
function selectLine(messages: MessageRow[], last: MessageRow): MessageRow[] | null {
  const answers = messages.filter(({ lane }) => lane)
  const { lane } = last.lane ? last : (answers.find(({ chat_id }) => chat_id === last.chat_id) ?? last)
  if (!lane) return null
  const turnIds = new Set(answers.filter((answer) => answer.lane === lane).map(({ chat_id }) => chat_id))
  return messages.filter((message) => turnIds.has(message.chat_id) && ['', lane].includes(message.lane))
}

/** Links a copied message of one lane to the one before it, since the copy has no other lanes. */
const toLink = (copy: MessageRow, before: MessageRow | undefined): MessageRow => ({
  ...copy,
  lane: '',
  parent_id: before?.id ?? copy.sess_id,
})

/** Gives copies new ids in the old order: turns stay together, and each message keeps its place in the tree. */
function copyMessages(messages: MessageRow[], sessId: string): MessageRow[] {
  const ids = new Map<string, string>()
  const getNewId = (id: string): string => ids.get(id) ?? ids.set(id, createId()).get(id)!
  return messages.map((message) => ({
    ...message,
    // Feedback is about the original.
    feedback: null,
    sess_id: sessId,
    chat_id: getNewId(message.chat_id),
    parent_id: ids.get(message.parent_id) ?? sessId,
    id: getNewId(message.id),
  }))
}
