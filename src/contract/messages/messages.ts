import { z } from 'zod'
import { day, moment } from '#contract/dates/dates.ts'
import type { Calls } from '../call.ts'
import { filterWord, pageNumber, paginated, pageSize } from '../paging.ts'

/** From specification section 9. */
export const MESSAGES_PAGE_SIZE = 10
export const RELEASES_PAGE_SIZE = 5

/** Subjects of messages. */
export const messageChannels = ['system', 'credit', 'task', 'organization'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** A message from the product to one user. */
const userMessage = z.object({
  uuid: z.uuid(),
  channel: z.enum(messageChannels),
  title: z.string(),
  text: z.string(),
  /** A path of this site with more to see or do; null where there is none. */
  link: z.string().nullable(),
  read: z.boolean(),
  created_at: moment,
})
export type UserMessage = z.output<typeof userMessage>

/** News of the product on one day. */
const release = z.object({
  id: z.string(),
  /** `2026-11-22`. */
  date: day,
  title: z.string(),
  /** Markdown. */
  text: z.string(),
})
export type Release = z.output<typeof release>

export const messageCalls = {
  'GET /api/notifications/unread': {
    summary: '未读消息，新的在前，每页 10 条',
    auth: 'user',
    query: z.object({ page: pageNumber }),
    response: z.object({
      notifications: z.array(userMessage),
      /** Unread messages on all pages together. */
      total_unread: z.int(),
    }),
  },
  'PUT /api/notifications/mark_all_as_read': {
    summary: '把所有消息标为已读',
    auth: 'user',
    response: z.object({ total_unread: z.int() }),
  },
  'GET /api/user/messages': {
    summary: '收到的消息，新的在前，可以按类别查看',
    auth: 'user',
    query: z.object({
      /** All channels when absent. */
      channel: filterWord(messageChannels).optional(),
      page: pageNumber,
      page_size: pageSize(MESSAGES_PAGE_SIZE),
    }),
    response: paginated(userMessage),
  },
  'GET /api/releases': {
    summary: '更新日志，新的在前',
    auth: 'public',
    query: z.object({ page: pageNumber }),
    response: z.object({
      releases: z.array(release),
      has_more: z.boolean(),
      /** Null on the last page. */
      next_page: z.int().nullable(),
    }),
  },
} as const satisfies Calls
