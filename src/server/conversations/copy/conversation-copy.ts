import type { ChatSession } from '#contract/chat.ts'
import { DATI } from '#contract/chatbot.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { presentSession } from '../presentation.ts'
import { deriveTitle } from '../prompt.ts'
import * as chat from '../store.ts'
import type { MessageRow } from '../store.ts'
import { insertSession } from '../sessions/store.ts'
import { listFinishedMessages } from './store.ts'

/** What of a message is worth taking along to another place. */
export type CopiedMessage = Pick<MessageRow, 'role' | 'text' | 'content_type' | 'chat_model' | 'search'>

/** Messages on their way out of a conversation, and into a new one. */
export function createConversationCopy(db: Db) {
  return {
    /**
     * The named messages (or all) of a session, and a title from them alone: that of the session may tell of a question
     * that is not among them. Throws AppError not_found for a session or a message that the user does not have.
     */
    async readMessages(user_id: string, { chatbot, sess_id, ids }: CopySelection) {
      const session = sess_id
        ? await chat.findSession(db, user_id, sess_id)
        : await chat.findCurrentSession(db, user_id, chatbot)
      if (!session) throw new AppError('not_found')
      const messages = await listFinishedMessages(db, user_id, session.id, ids)
      if (ids && messages.length < new Set(ids).size) throw new AppError('not_found')
      const withText = messages.filter(({ text }) => text !== '')
      const first = withText.find(({ role }) => role === 'human') ?? withText[0]
      return { sess_id: session.id, messages: withText, title: deriveTitle(first?.text ?? '') }
    },

    /** Begins a session of the user with copies of these messages, and makes it the current one. */
    async createSession(
      user_id: string,
      title: string,
      copied: readonly CopiedMessage[],
    ): Promise<ChatSession> {
      return db.transaction(async (tx) => {
        const session = await insertSession(tx, { user_id, chatbot: DATI, title })
        await chat.setCurrentSession(tx, user_id, DATI, session.id)
        await chat.insertMessages(tx, toMessageRows(session.id, copied))
        return presentSession(session, true)
      })
    },
  }
}

type CopySelection = { chatbot: string; sess_id?: string | undefined; ids?: readonly string[] | undefined }

/** A question begins a turn; what follows up to the next question belongs to it, and each message hangs below the one before. Ids grow in the order of the messages. */
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
