import { createHash } from 'node:crypto'
import type { ChatSession } from '#contract/chat.ts'
import type { Share, SharedConversation } from '#contract/shares.ts'
import type { Chat } from '../chat/chat.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import { pageAnswer } from '../core/paging.ts'
import { newToken } from '../core/secrets.ts'
import type { Users } from '../users/users.ts'
import * as store from './store.ts'

/** Links of one account that exist at a time. */
const SHARES_PER_USER = 500

type Options = { db: Db; chat: Chat; users: Users }
type Asked = { chatbot: string; sess_id?: string | undefined; message_ids?: string[] | undefined }
export type Shares = ReturnType<typeof openShares>

/** Links under which messages of a conversation can be read by everybody who has them. */
export function openShares({ db, chat, users }: Options) {
  type Row = Pick<Share, 'id' | 'sess_id' | 'title' | 'count'> & { created_at: Date }
  const present = async (user_id: string, rows: Row[]): Promise<Share[]> => {
    const inviting = await users.inviter(user_id)
    return rows.map(({ id, sess_id, title, count, created_at }) => ({
      id,
      sess_id,
      title,
      count,
      url: inviting(`/share/${id}`),
      created_at: created_at.toISOString(),
    }))
  }
  const presentOne = async (user_id: string, row: Row): Promise<Share> => (await present(user_id, [row]))[0]!

  return {
    /** The link to these messages as they are now. Throws AppError not_found, share_empty, share_count. */
    async link(user_id: string, { chatbot, sess_id, message_ids }: Asked): Promise<Share> {
      const taken = await chat.copies.take(user_id, { chatbot, sess_id, ids: message_ids })
      if (!taken.messages.length) throw new AppError('share_empty')
      const digest = digestOf(taken.messages)
      const known = await store.sameShare(db, user_id, taken.sess_id, digest)
      if (known) return presentOne(user_id, known)
      if ((await store.countShares(db, user_id)) >= SHARES_PER_USER) throw new AppError('share_count')
      const share = { id: newToken(), user_id, sess_id: taken.sess_id, title: taken.title, digest }
      const copies = taken.messages.map(
        ({ id, role, text, content_type, chat_model, search, created_at }) => ({
          message_id: id,
          role,
          text,
          content_type,
          chat_model,
          search,
          created_at,
        }),
      )
      await db.transaction((tx) => store.insertShare(tx, share, copies))
      // Read again: another request may have made the same link a moment before.
      const made = await store.sameShare(db, user_id, taken.sess_id, digest)
      if (!made) throw new AppError('not_found')
      return presentOne(user_id, made)
    },

    async list(user_id: string, { page, size }: { page: number; size: number }) {
      const [rows, total] = await Promise.all([
        store.listShares(db, user_id, { size, offset: (page - 1) * size }),
        store.countShares(db, user_id),
      ])
      const items = await present(user_id, rows)
      return pageAnswer(items, { total, page, size, url: '/api/chat/session/links', query: {} })
    },

    /** Ends a link. Throws AppError not_found for one that the user does not have. */
    async revoke(user_id: string, id: string): Promise<void> {
      if (!(await store.deleteShare(db, user_id, id))) throw new AppError('not_found')
    },

    /** What everybody who has the link may see; null for a link that is not there (any more). */
    async read(id: string): Promise<SharedConversation | null> {
      const found = await store.shareByLink(db, id)
      const user = found && (await users.publicFace(found.share.user_id))
      if (!found || !user) return null
      return {
        title: found.share.title,
        messages: found.messages.map(({ nth, role, text, content_type, chat_model, search, created_at }) => ({
          nth,
          role,
          text,
          content_type,
          chat_model,
          search,
          created_at: created_at.toISOString(),
        })),
        user,
        created_at: found.share.created_at.toISOString(),
      }
    },

    /** Begins a conversation of the reader's own with what the share shows. Throws AppError not_found. */
    async continueAs(user_id: string, id: string): Promise<ChatSession> {
      const found = await store.shareByLink(db, id)
      if (!found) throw new AppError('not_found')
      return chat.copies.begin(user_id, found.share.title, found.messages)
    },
  }
}

const digestOf = (messages: readonly { id: string; text: string }[]): string => {
  const shown = JSON.stringify(messages.map(({ id, text }) => [id, text]))
  return createHash('sha256').update(shown).digest('base64url')
}
