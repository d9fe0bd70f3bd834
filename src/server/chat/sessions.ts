import { MESSAGES_PAGE } from '#contract/chat.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import type { ListedSession, SessionSettings } from '#contract/sessions.ts'
import { AppError } from '../core/app-error.ts'
import { pageAnswer } from '../core/paging.ts'
import { presentMessage, presentSession } from './present.ts'
import { searchSessions } from './search/search.ts'
import { fork } from './sessions/fork.ts'
import { readPage } from './sessions/page.ts'
import type { Place } from './sessions/page.ts'
import { readSettings, saveSettings, settingsOf } from './sessions/settings.ts'
import { deleteSession, insertSession, listSessions, updateSession } from './sessions/store.ts'
import { makeTitle } from './sessions/title.ts'
import type { Titling } from './sessions/title.ts'
import * as store from './store.ts'
import type { MessageRow, SessionRow } from './store.ts'

type Reading = Place & { chatbot: string; sess_id?: string | undefined; size?: number }
type Changes = { title?: string | undefined; pinned?: boolean | undefined }
type Listing = { chatbot: string; keywords: string; page: number; size: number }

/** A visitor's conversations: listed, searched, read, begun, switched, set, forked, named, emptied and deleted. */
export function openSessions(titling: Titling) {
  const { db, runs } = titling
  /** The named session, or the current one; null when none was named and there is none. */
  const find = async (user_id: string, chatbot: string, sess_id?: string): Promise<SessionRow | null> => {
    if (!sess_id) return (await store.currentSession(db, user_id, chatbot)) ?? null
    const session = await store.sessionById(db, user_id, sess_id)
    if (!session) throw new AppError('not_found')
    return session
  }
  const isCurrent = async ({ user_id, chatbot, id }: SessionRow): Promise<boolean> =>
    (await store.currentSession(db, user_id, chatbot))?.id === id
  const presentListed = async (session: SessionRow): Promise<ChatSession> =>
    presentSession(session, await isCurrent(session))
  const present = async (message: MessageRow): Promise<ChatMessage> =>
    presentMessage(message, message.status === 'typing' ? await runs.soFar(message.run_id!) : undefined)

  return {
    find,
    present,

    async messages(user_id: string, { chatbot, sess_id, size = MESSAGES_PAGE, ...place }: Reading) {
      const session = await find(user_id, chatbot, sess_id)
      if (!session) return { messages: [], has_more: false, has_newer: false, session: null }
      const { rows, has_more, has_newer } = await readPage(db, session.id, place, size)
      return {
        messages: await Promise.all(rows.map(present)),
        has_more,
        has_newer,
        session: await presentListed(session),
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
      const place = { size, offset: (page - 1) * size }
      const { total, results } = query.keywords.trim()
        ? await searchSessions(db, user_id, { ...filter, ...place })
        : await all(user_id, query.chatbot, place)
      const current = await store.currentSession(db, user_id, query.chatbot)
      const items = results.map(({ session, hit }): ListedSession => ({
        ...presentSession(session, session.id === current?.id),
        hit,
      }))
      return pageAnswer(items, { total, page, size, url: '/api/chat/sessions', query: filter })
    },

    async create(user_id: string, chatbot: string): Promise<ChatSession> {
      return db.transaction(async (tx) => {
        const session = await insertSession(tx, { user_id, chatbot, title: '' })
        await store.setCurrent(tx, user_id, chatbot, session.id)
        return presentSession(session, true)
      })
    },

    async switchTo(
      user_id: string,
      sess_id: string,
    ): Promise<{ session: ChatSession; settings: SessionSettings }> {
      const session = await store.sessionById(db, user_id, sess_id)
      if (!session) throw new AppError('not_found')
      await store.setCurrent(db, user_id, session.chatbot, session.id)
      return { session: presentSession(session, true), settings: settingsOf(session) }
    },

    settings: (user_id: string, query: Parameters<typeof readSettings>[2]) =>
      readSettings(db, user_id, query),

    async saveSettings(user_id: string, body: Parameters<typeof saveSettings>[2]) {
      const { settings, session } = await saveSettings(db, user_id, body)
      return { settings, session: session && (await presentListed(session)) }
    },

    async fork(user_id: string, body: Parameters<typeof fork>[2]): Promise<ChatSession> {
      return presentSession(await fork(db, user_id, body), true)
    },

    /** Names or pins a session; a title that a person wrote is never replaced by a made one. */
    async change(user_id: string, id: string, { title, pinned }: Changes): Promise<ChatSession> {
      const changes = {
        ...(title === undefined ? {} : { title, titled_by: 'person' as const }),
        ...(pinned === undefined ? {} : { pinned }),
      }
      const session = Object.keys(changes).length
        ? await updateSession(db, user_id, id, changes)
        : await store.sessionById(db, user_id, id)
      if (!session) throw new AppError('not_found')
      return presentListed(session)
    },

    async title(user_id: string, id: string): Promise<ChatSession> {
      return presentListed(await makeTitle(titling, user_id, id))
    },

    async remove(user_id: string, id: string): Promise<void> {
      if (!(await store.sessionById(db, user_id, id))) throw new AppError('not_found')
      await stopAll(id)
      await deleteSession(db, user_id, id)
    },
  }

  async function all(user_id: string, chatbot: string, place: { size: number; offset: number }) {
    const { total, rows } = await listSessions(db, user_id, { chatbot, ...place })
    return { total, results: rows.map((session) => ({ session, hit: null })) }
  }

  async function stopAll(sess_id: string): Promise<void> {
    for (const run_id of await store.runningRuns(db, sess_id)) await runs.cancel(run_id)
  }
}
