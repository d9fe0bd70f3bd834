import type { notificationCalls } from '#contract/notifications/notifications.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Notifications } from './notifications.ts'

export const notificationRoutes = (notifications: Notifications): Handlers<typeof notificationCalls> => ({
  'GET /api/notifications/unread': ({ query }, { visitor }) =>
    notifications.listUnread(visitor.user_id, query.page),
  'PUT /api/notifications/mark_all_as_read': async (_, { visitor }) => {
    await notifications.markAllAsRead(visitor.user_id)
    return { total_unread: 0 }
  },
  'GET /api/user/messages': ({ query: { channel, page, page_size: size } }, { visitor }) =>
    notifications.list(visitor.user_id, { channel, page, size }),
  'GET /api/releases': ({ query }) => notifications.listReleases(query.page),
})
