import { NOTIFICATIONS_PAGE_SIZE, RELEASES_PAGE_SIZE } from '#contract/notifications/notifications.ts'
import type { NotificationChannel, Release, UserNotification } from '#contract/notifications/notifications.ts'
import type { Db } from '#server/core/database/database.ts'
import type { ExecutedTask, TaskEnd } from '#server/tasks/tasks.ts'
import { createId } from '#server/core/ids.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import * as store from './store.ts'
import { describeTask } from './describe-task.ts'
import type { NotificationRow, NewNotification } from './store.ts'

export { notifyEverybody, publishRelease } from './announcements.ts'
export { loadReleases } from './releases.ts'
export type { NewNotification } from './store.ts'

export type Notifications = ReturnType<typeof createNotifications>

const KEPT_DAYS = 365
/** People keep watching a shorter task until it is done. */
const LONG_TASK_S = 60

/** Sends a user a message, in the transaction of the event. Deleted accounts get nothing. */
export async function notify(tx: Db, userId: string, { link, ...message }: NewNotification): Promise<void> {
  await store.insertNotification(tx, { id: createId(), user_id: userId, ...message, link: link ?? null })
}

/** Tells the owner how a task ended, if it took so long that nobody waited for it. */
export async function notifyOfTask(tx: Db, task: ExecutedTask, end: TaskEnd): Promise<void> {
  const message = task.seconds < LONG_TASK_S ? null : describeTask(task, end)
  if (message) await notify(tx, task.user_id, message)
}

/** Notifications to users, and release notes, the same for everybody: `shipped` with the product, or published by the operator. */
export function createNotifications({ db, releases: shipped }: { db: Db; releases: Release[] }) {
  return {
    async listUnread(userId: string, page: number) {
      const size = NOTIFICATIONS_PAGE_SIZE
      const messages = await store.listNotifications(db, userId, {
        unread: true,
        size,
        offset: (page - 1) * size,
      })
      return { notifications: messages.rows.map(presentNotification), total_unread: messages.total }
    },

    markAllAsRead: (userId: string): Promise<void> => store.markAllAsRead(db, userId),

    async list(
      userId: string,
      {
        channel,
        page,
        size,
      }: { channel?: NotificationChannel | 'unknown' | undefined; page: number; size: number },
    ) {
      const { rows, total } = await store.listNotifications(db, userId, {
        channel,
        size,
        offset: (page - 1) * size,
      })
      const url = { url: '/api/user/messages', query: channel ? { channel } : {}, size_name: 'page_size' }
      return toPageResponse(rows.map(presentNotification), { total, page, size, ...url })
    },

    async listReleases(page: number) {
      const published = (await store.listReleases(db)).map(presentRelease)
      const releases = [...published, ...shipped].toSorted((a, b) => b.date.localeCompare(a.date))
      const end = page * RELEASES_PAGE_SIZE
      const hasMore = end < releases.length
      return {
        releases: releases.slice(end - RELEASES_PAGE_SIZE, end),
        has_more: hasMore,
        next_page: hasMore ? page + 1 : null,
      }
    },

    /** Deletes messages older than a year. */
    sweep: (): Promise<void> => store.deleteOldNotifications(db, KEPT_DAYS),
  }
}

const presentNotification = ({
  id,
  channel,
  title,
  text,
  link,
  read,
  created_at,
}: NotificationRow): UserNotification => ({
  uuid: id,
  channel,
  title,
  text,
  link,
  read,
  created_at,
})

type ReleaseRow = Awaited<ReturnType<typeof store.listReleases>>[number]
const presentRelease = ({ id, title, text, created_at }: ReleaseRow): Release => ({
  id,
  date: toChinaDay(created_at),
  title,
  text,
})
