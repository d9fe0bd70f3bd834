import { DATI } from '#contract/chatbot.ts'
import type { sessionCalls } from '#contract/conversations/sessions.ts'
import type { Handlers } from '#server/core/http.ts'
import { AppError } from '#server/core/app-error.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { Conversations } from '../conversations.ts'

export function sessionRoutes({ sessions }: Conversations): Handlers<typeof sessionCalls> {
  return {
    'GET /api/chat/sessions': async ({ query }, { visitor }) => {
      if (visitor) return sessions.list(visitor.user_id, query)
      const { page, size, ...filter } = query
      return toPageResponse([], { total: 0, page, size, url: '/api/chat/sessions', query: filter })
    },

    'POST /api/chat/session/new': async ({ body }, { visitor }) => ({
      session: await sessions.create(visitor, body.chatbot),
    }),

    'POST /api/chat/session/switch': async ({ body }, { visitor }) => {
      // People with sessions have a cookie, so theirs has expired.
      if (!visitor) throw new AppError('login_expired')
      return sessions.switchTo(visitor.user_id, body.sess_id)
    },

    'GET /api/chat/session/settings': async ({ query }, { visitor }) => ({
      settings: await sessions.settings(visitor.user_id, query),
    }),

    'POST /api/chat/session/settings': async ({ body }, { visitor }) =>
      sessions.saveSettings(visitor.user_id, body),

    'POST /api/chat/session/fork': async ({ body }, { visitor }) => {
      const { chatbot, sess_id, message_id } = body
      const source = { chatbot: chatbot ?? DATI, sess_id }
      return { session: await sessions.fork(visitor.user_id, { source, message_id, chatbot }) }
    },

    'PATCH /api/chat/session/{id}': async ({ params, body }, { visitor }) => ({
      session: await sessions.update(visitor.user_id, params.id, body),
    }),

    'POST /api/chat/sessions/change': async ({ body }, { visitor }) => ({
      changed: await sessions.change(visitor.user_id, body),
    }),

    'POST /api/chat/session/{id}/title': async ({ params }, { visitor }) => ({
      session: await sessions.generateTitle(visitor, params.id),
    }),

    'DELETE /api/chat/session/{id}': async ({ params }, { visitor }) => {
      await sessions.remove(visitor.user_id, params.id)
      return undefined
    },
  }
}
