import type { messageCalls } from '#contract/messages/messages.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Messages } from './notifications.ts'

export const messageRoutes = (messages: Messages): Handlers<typeof messageCalls> => ({
  'GET /api/notifications/unread': ({ query }, { visitor }) =>
    messages.listUnread(visitor.user_id, query.page),
  'PUT /api/notifications/mark_all_as_read': async (_, { visitor }) => {
    await messages.markAllAsRead(visitor.user_id)
    return { total_unread: 0 }
  },
  'GET /api/user/messages': ({ query: { channel, page, page_size: size } }, { visitor }) =>
    messages.list(visitor.user_id, { channel, page, size }),
  'GET /api/releases': ({ query }) => messages.listReleases(query.page),
})
