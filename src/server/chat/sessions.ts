import { MESSAGES_PAGE } from '#contract/chat.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import { pageAnswer } from '../core/paging.ts'
import type { Runs } from '../runs/runs.ts'
import { presentMessage, presentSession } from './present.ts'
import * as store from './store.ts'
import type { MessageRow, SessionRow } from './store.ts'

type Options = { db: Db; runs: Runs }
type Reading = { chatbot: string; sess_id?: string | undefined; before?: string | undefined; size?: number }
type Listing = { chatbot: string; keywords: string; page: number; size: number }

/** A visitor's conversations: listed, read, begun, switched, emptied and deleted. */
export function openSessions({ db, runs }: Options) {
  /** The named session, or the current one; null when none was named and there is none. */
  const find = async (user_id: string, chatbot: string, sess_id?: string): Promise<SessionRow | null> => {
    if (!sess_id) return (await store.currentSession(db, user_id, chatbot)) ?? null
    const session = await store.sessionById(db, user_id, sess_id)
    if (!session) throw new AppError('not_found')
    return session
  }
  const isCurrent = async ({ user_id, chatbot, id }: SessionRow): Promise<boolean> =>
    (await store.currentSession(db, user_id, chatbot))?.id === id
  const present = async (message: MessageRow): Promise<ChatMessage> =>
    presentMessage(message, message.status === 'typing' ? await runs.textSoFar(message.run_id!) : '')

  return {
    present,

    async messages(user_id: string, { chatbot, sess_id, before, size = MESSAGES_PAGE }: Reading) {
      const session = await find(user_id, chatbot, sess_id)
      if (!session) return { messages: [], has_more: false, session: null }
      const newest = await store.newestMessages(db, session.id, { size: size + 1, before })
      const rows = newest.slice(0, size).reverse()
      return {
        messages: await Promise.all(rows.map(present)),
        has_more: newest.length > size,
        session: presentSession(session, await isCurrent(session)),
      }
    },

    /** Running answers are stopped first: what they produced is charged, but nobody will read it. */
    async clear(user_id: string, chatbot: string, sess_id?: string): Promise<number> {
      const session = await find(user_id, chatbot, sess_id)
      if (!session) return 0
      await stopAll(session.id)
      return db.transaction((tx) => store.deleteMessages(tx, session.id))
    },

    async list(user_id: string, query: Listing) {
      const { page, size, ...filter } = query
      const { total, rows } = await store.listSessions(db, user_id, {
        ...filter,
        size,
        offset: (page - 1) * size,
      })
      const current = await store.currentSession(db, user_id, query.chatbot)
      const items = rows.map((row) => presentSession(row, row.id === current?.id))
      return pageAnswer(items, { total, page, size, url: '/api/chat/sessions', query: filter })
    },

    async create(user_id: string, chatbot: string): Promise<ChatSession> {
      return db.transaction(async (tx) => {
        const session = await store.insertSession(tx, user_id, chatbot, '')
        await store.setCurrent(tx, user_id, chatbot, session.id)
        return presentSession(session, true)
      })
    },

    async switchTo(user_id: string, sess_id: string): Promise<ChatSession> {
      const session = await store.sessionById(db, user_id, sess_id)
      if (!session) throw new AppError('not_found')
      await store.setCurrent(db, user_id, session.chatbot, session.id)
      return presentSession(session, true)
    },

    async remove(user_id: string, id: string): Promise<void> {
      if (!(await store.sessionById(db, user_id, id))) throw new AppError('not_found')
      await stopAll(id)
      await store.deleteSession(db, user_id, id)
    },
  }

  async function stopAll(sess_id: string): Promise<void> {
    for (const run_id of await store.runningRuns(db, sess_id)) await runs.cancel(run_id)
  }
}
