import { MESSAGES_PAGE_SIZE } from '#contract/chat.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { DATI, isChannel } from '#contract/chatbot.ts'
import type { ListedSession } from '#contract/conversations/sessions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import { presentMessage, presentSession } from '../presentation.ts'
import { requireAssistant } from '../assistant.ts'
import type { Assistants } from '../assistant.ts'
import { loadMessagePage } from '../messages/page.ts'
import type { PageAnchor } from '../messages/page.ts'
import { deleteMessages, listNewestTurns, listRunningAnswers } from '../messages/store.ts'
import type { MessageRow } from '../messages/store.ts'
import { searchSessions } from '../search/search.ts'
import { createSessionFrom, forkSession, readMessages } from './conversation-copy.ts'
import type { ForkInput } from './conversation-copy.ts'
import { getDefaultSettings, saveSettings, parseSettings } from './settings.ts'
import type { SettingsScope } from './settings.ts'
import * as store from './store.ts'
import type { SessionRef, SessionRow } from './store.ts'
import { createTitleGenerator } from './title.ts'
import type { TitleDeps } from './title.ts'

type MessagesQuery = PageAnchor & SessionRef & { size?: number }
type SessionChanges = { title?: string | undefined; pinned?: boolean | undefined }
type SessionsChange = { sess_ids: string[]; action: 'archive' | 'restore' | 'delete' }
type SessionsQuery = {
  chatbot: string
  keywords: string
  tab: 'active' | 'archived' | 'unknown'
  folder_id?: string | undefined
  page: number
  size: number
}

/** Reads and changes the conversations of a user. */
export function createSessions(deps: TitleDeps & { assistants: Assistants }) {
  const { db, runs } = deps
  const generateTitle = createTitleGenerator(deps)
  const checkAccess = async (
    userId: string,
    chatbot: string,
    visitor?: Pick<Visitor, 'chatbot'>,
  ): Promise<void> => requireAssistant(deps.assistants, chatbot, visitor).checkAccess?.(userId, chatbot)
  /**
   * Finds the named session, or the current one; null if none was named and there is none. Throws AppError for a chatbot that
   * does not exist or that this person may not use, unless they have conversations with it.
   */
  const find = async (userId: string, ref: SessionRef): Promise<SessionRow | null> => {
    const session = await store.findReferencedSession(db, userId, ref)
    if (session) return session
    const { chatbot = DATI } = ref
    if (!isChannel(chatbot) && !(await store.hasSession(db, userId, chatbot)))
      await checkAccess(userId, chatbot)
    return null
  }
  const isCurrent = async ({ user_id, chatbot, id }: SessionRow): Promise<boolean> =>
    (await store.findCurrentSession(db, user_id, chatbot))?.id === id
  const presentListed = async (session: SessionRow): Promise<ChatSession> =>
    presentSession(session, await isCurrent(session))
  const present = async (message: MessageRow): Promise<ChatMessage> =>
    presentMessage(
      message,
      message.status === 'typing' ? await runs.partialOutput(message.run_id!) : undefined,
    )

  return {
    find,
    present,
    presentSession: presentListed,
    lockOrCreate: store.lockOrCreateSession,

    /** Returns the newest turns of a session that the user owns, before one of them: whole, visible messages, oldest first. */
    async turns(sessId: string, { before, size }: { before?: string | undefined; size: number }) {
      const rows = await listNewestTurns(db, sessId, { size: size + 1, before })
      const chatIds = [...new Set(rows.map(({ chat_id }) => chat_id))]
      const hasMore = chatIds.length > size
      const pageRows = hasMore ? rows.filter(({ chat_id }) => chat_id !== chatIds[0]) : rows
      return { messages: await Promise.all(pageRows.map(present)), has_more: hasMore }
    },

    async messages(
      userId: string,
      { chatbot, sess_id, size = MESSAGES_PAGE_SIZE, ...anchor }: MessagesQuery,
    ) {
      const session = await find(userId, { chatbot, sess_id })
      if (!session) return { messages: [], has_more: false, has_newer: false, session: null }
      const { rows, has_more, has_newer } = await loadMessagePage(db, session.id, anchor, size)
      return {
        messages: await Promise.all(rows.map(present)),
        has_more,
        has_newer,
        session: await presentListed(session),
      }
    },

    /**
     * Deletes the messages of a session, and its title, which tells of them. Running answers are stopped first: their output is
     * charged, though nobody will read it.
     */
    async clear(userId: string, ref: SessionRef): Promise<number> {
      const session = await find(userId, ref)
      if (!session) return 0
      return stopAndRemove(session, async (tx) => {
        await store.forgetTitle(tx, userId, session.id)
        return deleteMessages(tx, session.id)
      })
    },

    async list(userId: string, query: SessionsQuery) {
      const { page, size, ...filter } = query
      const window = { size, offset: (page - 1) * size }
      const { total, results } = query.keywords.trim()
        ? await searchSessions(db, userId, { ...filter, ...window })
        : await listAll(userId, filter, window)
      const [current, running] = await Promise.all([
        store.listCurrentSessions(db, userId, query.chatbot),
        store.findRunningTurns(db, userId),
      ])
      const items = results.map(({ session, hit }): ListedSession => ({
        ...presentSession(session, current.has(session.id)),
        hit,
        running_turn: running.get(session.id) ?? null,
        folder_id: session.folder_id,
      }))
      return toPageResponse(items, { total, page, size, url: '/api/chat/sessions', query: filter })
    },

    /** Throws AppError not_found, channel_unavailable, agent_required, and the assistant's own. */
    async create(visitor: Visitor, chatbot: string): Promise<ChatSession> {
      const { user_id } = visitor
      await checkAccess(user_id, chatbot, visitor)
      const session = await db.transaction((tx) => store.insertCurrentSession(tx, user_id, chatbot))
      return presentSession(session, true)
    },

    async switchTo(userId: string, sessId: string) {
      const session = await store.findSession(db, userId, sessId)
      if (!session) throw new AppError('not_found')
      await store.setCurrentSession(db, userId, session.chatbot, session.id)
      return { session: presentSession(session, true), settings: parseSettings(session) }
    },

    /** Returns the settings of a session, or those of new ones. Throws AppError as `find`. */
    async settings(userId: string, { scope, ...ref }: SessionRef & { scope: SettingsScope }) {
      const session = scope === 'session' ? await find(userId, ref) : null
      return session ? parseSettings(session) : getDefaultSettings(db, userId)
    },

    /** Throws AppError as `find`; channel_unavailable, agent_required and the assistant's own when it begins a session. */
    async saveSettings(userId: string, body: Parameters<typeof saveSettings>[2]) {
      const { scope, sess_id, chatbot } = body
      if (scope === 'session' && !(await find(userId, { sess_id, chatbot })))
        await checkAccess(userId, chatbot ?? DATI)
      const { settings, session } = await saveSettings(db, userId, body)
      return { settings, scope, session: session && (await presentListed(session)) }
    },

    /** Throws AppError channel_unavailable, agent_required, not_found, turn_running, and the assistant's own. */
    async fork(userId: string, input: ForkInput): Promise<ChatSession> {
      const { chatbot } = input
      if (chatbot) await checkAccess(userId, chatbot)
      return presentSession(await forkSession(deps, userId, input), true)
    },

    readMessages: (userId: string, selection: Parameters<typeof readMessages>[2]) =>
      readMessages(db, userId, selection),

    async createFrom(userId: string, copy: Parameters<typeof createSessionFrom>[2]): Promise<ChatSession> {
      return presentSession(await createSessionFrom(db, userId, copy), true)
    },

    /** Renames or pins a session; a person's title is never replaced by a generated one. */
    async update(userId: string, id: string, { title, pinned }: SessionChanges): Promise<ChatSession> {
      const changes = {
        ...(title === undefined ? {} : { title, titled_by: 'person' as const }),
        ...(pinned === undefined ? {} : { pinned }),
      }
      const session = Object.keys(changes).length
        ? await store.updateSession(db, userId, id, changes)
        : await store.findSession(db, userId, id)
      if (!session) throw new AppError('not_found')
      return presentListed(session)
    },

    async generateTitle(visitor: Visitor, id: string): Promise<ChatSession> {
      return presentListed(await generateTitle(visitor, id))
    },

    /** Archives, restores or deletes sessions; missing ones are skipped. Throws AppError not_found if none exists. */
    async change(userId: string, { sess_ids, action }: SessionsChange): Promise<number> {
      const changed =
        action === 'delete'
          ? await removeSessions(userId, sess_ids)
          : await store.setArchived(db, userId, sess_ids, action === 'archive')
      if (!changed) throw new AppError('not_found')
      return changed
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.findSession(db, userId, id))) throw new AppError('not_found')
      await removeSession(userId, id)
    },

    /** Lists a part of a user's sessions with all chatbots, the oldest first. */
    listOwn: async (userId: string, window: { offset: number; size: number }) =>
      (await store.listOwnSessions(db, userId, window)).map(
        ({ id, chatbot, title, folder_id, created_at, updated_at }) => ({
          id,
          chatbot,
          title,
          folder_id,
          created_at,
          updated_at,
        }),
      ),

    /** Removes all sessions of a user with a chatbot. */
    async removeAll(userId: string, chatbot: string): Promise<void> {
      for (const id of await store.listSessionIds(db, userId, chatbot)) await removeSession(userId, id)
    },
  }

  async function removeSessions(userId: string, ids: string[]): Promise<number> {
    const sessions = await store.listSessionsByIds(db, userId, ids)
    for (const { id } of sessions) await removeSession(userId, id)
    return sessions.length
  }

  async function removeSession(userId: string, id: string): Promise<void> {
    await stopAndRemove({ user_id: userId, id }, async (tx) => {
      await deleteMessages(tx, id)
      await store.deleteSession(tx, userId, id)
    })
  }

  /** Stops the running answers of a session and calls `remove`, then stops answers that were begun meanwhile. */
  async function stopAndRemove<Removed>(
    { user_id, id }: Pick<SessionRow, 'user_id' | 'id'>,
    remove: (tx: Db) => Promise<Removed>,
  ): Promise<Removed> {
    await cancelRuns(await listRunningAnswers(db, id))
    const { running, removed } = await db.transaction(async (tx) => {
      // A new question locks the session: it is stored before this, or comes after all of it.
      await store.lockSession(tx, user_id, id)
      return { running: await listRunningAnswers(tx, id), removed: await remove(tx) }
    })
    await cancelRuns(running)
    return removed
  }

  async function listAll(
    userId: string,
    { chatbot, tab, folder_id }: Pick<SessionsQuery, 'chatbot' | 'tab' | 'folder_id'>,
    window: { size: number; offset: number },
  ) {
    if (tab === 'unknown') return { total: 0, results: [] }
    const { total, rows } = await store.listSessions(db, userId, {
      chatbot,
      archived: tab === 'archived',
      folder_id,
      ...window,
    })
    return { total, results: rows.map((session) => ({ session, hit: null })) }
  }

  async function cancelRuns(answers: Pick<MessageRow, 'run_id'>[]): Promise<void> {
    await Promise.all(answers.flatMap(({ run_id }) => (run_id ? [runs.cancel(run_id)] : [])))
  }
}
