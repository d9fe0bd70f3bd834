import { createHash } from 'node:crypto'
import type { ChatSession } from '#contract/chat.ts'
import { DATI, ZHIKU } from '#contract/chatbot.ts'
import type { Share, SharedAgent, SharedConversation } from '#contract/shares.ts'
import type { MessageSearch } from '#contract/web-search.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Conversations } from '#server/conversations/conversations.ts'
import type { Db } from '#server/core/database/database.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import { createToken } from '#server/core/secrets.ts'
import type { Users } from '#server/accounts/users/users.ts'
import * as store from './store.ts'

/** Most links of one account. */
const SHARES_PER_USER = 500

type Options = {
  db: Db
  conversations: Conversations
  users: Users
  /** Finds a public agent; null for any other id. */
  findPublicAgent: (id: string) => Promise<SharedAgent | null>
}
type ShareInput = {
  chatbot?: string | undefined
  sess_id?: string | undefined
  message_ids?: string[] | undefined
}
export type Shares = ReturnType<typeof createShares>

/** Links by which anybody who has them can read messages of a conversation. */
export function createShares({ db, conversations, users, findPublicAgent }: Options) {
  type Row = Pick<Share, 'id' | 'sess_id' | 'title' | 'count'> & { created_at: Date }
  const presentShares = async (userId: string, rows: Row[]): Promise<Share[]> => {
    const toInviteUrl = await users.createInviteLinker(userId)
    return rows.map(({ id, sess_id, title, count, created_at }) => ({
      id,
      sess_id,
      title,
      count,
      url: toInviteUrl(`/share/${id}`),
      created_at: created_at.toISOString(),
    }))
  }
  const presentShare = async (userId: string, row: Row): Promise<Share> =>
    (await presentShares(userId, [row]))[0]!
  /** Finds the agents that answered and are still public, by their ids. */
  const findAgents = async (messages: store.ShareMessageRow[]): Promise<Map<string, SharedAgent>> => {
    const ids = [...new Set(messages.flatMap(({ agent }) => agent ?? []))]
    const publicAgents = await Promise.all(ids.map((id) => findPublicAgent(id)))
    return new Map(publicAgents.flatMap((agent) => (agent ? [[agent.uuid, agent]] : [])))
  }

  return {
    /** Makes a link to these messages in their present state. Throws AppError not_found, share_empty, share_count. */
    async create(userId: string, { chatbot, sess_id, message_ids }: ShareInput): Promise<Share> {
      const selection = await conversations.sessions.readMessages(userId, {
        chatbot,
        sess_id,
        ids: message_ids,
      })
      if (!selection.messages.length) throw new AppError('share_empty')
      const digest = computeDigest(selection.messages)
      const existing = await store.findSameShare(db, userId, selection.sess_id, digest)
      if (existing) return presentShare(userId, existing)
      if ((await store.countShares(db, userId)) >= SHARES_PER_USER) throw new AppError('share_count')
      const share = {
        id: createToken(),
        user_id: userId,
        sess_id: selection.sess_id,
        title: selection.title,
        digest,
      }
      const copies = selection.messages.map(
        ({ id, role, text, content_type, chat_model, agent, search, created_at }) => ({
          message_id: id,
          role,
          text,
          content_type,
          chat_model,
          agent,
          search: withoutDocuments(search),
          created_at,
        }),
      )
      await db.transaction((tx) => store.insertShare(tx, share, copies))
      // Read again: another request may have made the same link just before.
      const created = await store.findSameShare(db, userId, selection.sess_id, digest)
      if (!created) throw new AppError('not_found')
      return presentShare(userId, created)
    },

    async list(userId: string, { page, size }: { page: number; size: number }) {
      const [rows, total] = await Promise.all([
        store.listShares(db, userId, { size, offset: (page - 1) * size }),
        store.countShares(db, userId),
      ])
      const items = await presentShares(userId, rows)
      return toPageResponse(items, { total, page, size, url: '/api/chat/session/links', query: {} })
    },

    /** Deletes a link. Throws AppError not_found for one that the user does not have. */
    async revoke(userId: string, id: string): Promise<void> {
      if (!(await store.deleteShare(db, userId, id))) throw new AppError('not_found')
    },

    /** Returns everything that people with the link may see; null for a link that does not exist. */
    async getShared(id: string): Promise<SharedConversation | null> {
      const shareData = await store.findShareByLink(db, id)
      const user = shareData && (await users.getPublicProfile(shareData.share.user_id))
      if (!shareData || !user) return null
      const answering = await findAgents(shareData.messages)
      const messages = shareData.messages.map(
        ({ nth, role, text, content_type, chat_model, agent, search, created_at }) => ({
          nth,
          role,
          text,
          content_type,
          chat_model,
          agent: answering.get(agent ?? '') ?? null,
          search,
          created_at: created_at.toISOString(),
        }),
      )
      return {
        title: shareData.share.title,
        messages,
        user,
        agent: answering.get(findLastAgent(shareData.messages) ?? '') ?? null,
        created_at: shareData.share.created_at.toISOString(),
      }
    },

    /**
     * Begins a conversation of the reader's own with the share's messages: with the last agent that answered if it is public,
     * else with the general assistant. Throws AppError not_found.
     */
    async continueConversation(userId: string, id: string): Promise<ChatSession> {
      const shareData = await store.findShareByLink(db, id)
      if (!shareData) throw new AppError('not_found')
      const { share, messages } = shareData
      const agent = (await findAgents(messages)).get(findLastAgent(messages) ?? '')
      const chatbot = agent ? `${ZHIKU}-${agent.uuid}` : DATI
      return conversations.sessions.createFrom(userId, { chatbot, title: share.title, messages })
    },
  }
}

const findLastAgent = (messages: readonly store.ShareMessageRow[]): string | null =>
  messages.findLast(({ role }) => role === 'ai')?.agent ?? null

const computeDigest = (messages: readonly { id: string; text: string }[]): string => {
  const content = JSON.stringify(messages.map(({ id, text }) => [id, text]))
  return createHash('sha256').update(content).digest('base64url')
}

/** Removes passages of documents, which belong to their owner, from an answer's sources. */
const withoutDocuments = (search: MessageSearch | null): MessageSearch | null =>
  search && { ...search, sources: search.sources.filter(({ block }) => !block) }
