import type { ChatSession } from '#contract/chat.ts'
import { DATI } from '#contract/chatbot.ts'
import { AppError } from '../../core/app-error.ts'
import { newId } from '../../core/clock.ts'
import type { Db } from '../../core/database.ts'
import { presentSession } from '../present.ts'
import { titleOf } from '../prompt.ts'
import * as chat from '../store.ts'
import type { MessageRow } from '../store.ts'
import { insertSession } from '../sessions/store.ts'
import { finishedMessages } from './store.ts'

/** What of a message is worth taking along to another place. */
export type Copied = Pick<MessageRow, 'role' | 'text' | 'content_type' | 'chat_model' | 'search'>

/** Messages on their way out of a conversation, and into a new one. */
export function openCopies(db: Db) {
  return {
    /**
     * The named messages (or all) of a session, and a title from them alone: that of the session may tell of a question
     * that is not among them. Throws AppError not_found for a session or a message that the user does not have.
     */
    async take(user_id: string, { chatbot, sess_id, ids }: Taking) {
      const session = sess_id
        ? await chat.sessionById(db, user_id, sess_id)
        : await chat.currentSession(db, user_id, chatbot)
      if (!session) throw new AppError('not_found')
      const messages = await finishedMessages(db, user_id, session.id, ids)
      if (ids && messages.length < new Set(ids).size) throw new AppError('not_found')
      const said = messages.filter(({ text }) => text !== '')
      const first = said.find(({ role }) => role === 'human') ?? said[0]
      return { sess_id: session.id, messages: said, title: titleOf(first?.text ?? '') }
    },

    /** Begins a session of the user with copies of these messages, and makes it the current one. */
    async begin(user_id: string, title: string, copied: readonly Copied[]): Promise<ChatSession> {
      return db.transaction(async (tx) => {
        const session = await insertSession(tx, { user_id, chatbot: DATI, title })
        await chat.setCurrent(tx, user_id, DATI, session.id)
        await chat.insertMessages(tx, rowsOf(session.id, copied))
        return presentSession(session, true)
      })
    },
  }
}

type Taking = { chatbot: string; sess_id?: string | undefined; ids?: readonly string[] | undefined }

/** A question begins a turn; what follows up to the next question belongs to it, and each message hangs below the one before. Ids grow in the order of the messages. */
function rowsOf(sess_id: string, copied: readonly Copied[]) {
  let chat_id = newId()
  let parent_id = sess_id
  return copied.map(({ role, text, content_type, chat_model, search }, nth) => {
    if (role === 'human' && nth > 0) chat_id = newId()
    const model = { model: chat_model, chat_model }
    const ended = { stream: true, status: 'done' } as const
    const place = { id: newId(), sess_id, chat_id, parent_id }
    parent_id = place.id
    return { ...place, role, text, content_type, search, ...model, ...ended, tools: [] }
  })
}
