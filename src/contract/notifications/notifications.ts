import { z } from 'zod'
import { createdAt, day } from '#contract/dates/dates.ts'
import type { Calls } from '../call.ts'
import { filterWord, pageNumber, paginated, pageSize } from '../paging.ts'

/** From specification section 9. */
export const NOTIFICATIONS_PAGE_SIZE = 10
export const RELEASES_PAGE_SIZE = 5

/** Subjects of messages. */
export const notificationChannels = ['system', 'credit', 'task', 'organization'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** A message from the product to one user. */
const userNotification = z.object({
  uuid: z.uuid().describe('消息的编号'),
  channel: z.enum(notificationChannels).describe('主题'),
  title: z.string().describe('标题'),
  text: z.string().describe('正文'),
  link: z.string().nullable().describe('相关页面的地址，本站的路径；没有则为空'),
  read: z.boolean().describe('是否已读'),
  created_at: createdAt,
})
export type UserNotification = z.output<typeof userNotification>

/** News of the product on one day. */
const release = z.object({
  id: z.string().describe('更新说明的编号'),
  /** `2026-11-22`. */
  date: day,
  title: z.string().describe('标题'),
  text: z.string().describe('正文，Markdown'),
})
export type Release = z.output<typeof release>

export const notificationCalls = {
  'GET /api/notifications/unread': {
    summary: '未读消息，新的在前，每页 10 条',
    auth: 'user',
    query: z.object({ page: pageNumber }),
    response: z.object({
      notifications: z.array(userNotification).describe('这一页的未读消息'),
      total_unread: z.int().describe('未读消息的总数'),
    }),
  },
  'PUT /api/notifications/mark_all_as_read': {
    summary: '把所有消息标为已读',
    auth: 'user',
    response: z.object({ total_unread: z.int().describe('未读消息的总数') }),
  },
  'GET /api/user/messages': {
    summary: '收到的消息，新的在前，可以按类别查看',
    auth: 'user',
    query: z.object({
      channel: filterWord(notificationChannels).optional().describe('主题；没有时为全部'),
      page: pageNumber,
      page_size: pageSize(NOTIFICATIONS_PAGE_SIZE),
    }),
    response: paginated(userNotification),
  },
  'GET /api/releases': {
    summary: '更新日志，新的在前',
    auth: 'public',
    query: z.object({ page: pageNumber }),
    response: z.object({
      releases: z.array(release).describe('这一页的更新说明，新的在前'),
      has_more: z.boolean().describe('是否还有更早的'),
      next_page: z.int().nullable().describe('下一页的页码；没有则为空'),
    }),
  },
} as const satisfies Calls
