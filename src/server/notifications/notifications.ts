import { MESSAGES_PAGE_SIZE, RELEASES_PAGE_SIZE } from '#contract/messages/messages.ts'
import type { MessageChannel, Release, UserMessage } from '#contract/messages/messages.ts'
import type { Db } from '#server/core/database/database.ts'
import type { ExecutedTask, TaskEnd } from '#server/tasks/tasks.ts'
import { createId } from '#server/core/ids.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import * as store from './store.ts'
import { describeTask } from './describe-task.ts'
import type { MessageRow, NewMessage } from './store.ts'

export { notifyEverybody, publishRelease } from './announcements.ts'
export { loadReleases } from './releases.ts'
export type { NewMessage } from './store.ts'

export type Messages = ReturnType<typeof createMessages>

const KEPT_DAYS = 365
/** People keep watching a shorter task until it is done. */
const LONG_TASK_S = 60

/** Sends a user a message, in the transaction of the event. Deleted accounts get nothing. */
export async function notify(tx: Db, userId: string, { link, ...message }: NewMessage): Promise<void> {
  await store.insertMessage(tx, { id: createId(), user_id: userId, ...message, link: link ?? null })
}

/** Tells the owner how a task ended, if it took so long that nobody waited for it. */
export async function notifyOfTask(tx: Db, task: ExecutedTask, end: TaskEnd): Promise<void> {
  const message = task.seconds < LONG_TASK_S ? null : describeTask(task, end)
  if (message) await notify(tx, task.user_id, message)
}

/** Messages to users, and release notes, the same for everybody: `shipped` with the product, or published by the operator. */
export function createMessages({ db, releases: shipped }: { db: Db; releases: Release[] }) {
  return {
    async listUnread(userId: string, page: number) {
      const size = MESSAGES_PAGE_SIZE
      const messages = await store.listMessages(db, userId, { unread: true, size, offset: (page - 1) * size })
      return { notifications: messages.rows.map(presentMessage), total_unread: messages.total }
    },

    markAllAsRead: (userId: string): Promise<void> => store.markAllAsRead(db, userId),

    async list(
      userId: string,
      {
        channel,
        page,
        size,
      }: { channel?: MessageChannel | 'unknown' | undefined; page: number; size: number },
    ) {
      const { rows, total } = await store.listMessages(db, userId, {
        channel,
        size,
        offset: (page - 1) * size,
      })
      const url = { url: '/api/user/messages', query: channel ? { channel } : {}, size_name: 'page_size' }
      return toPageResponse(rows.map(presentMessage), { total, page, size, ...url })
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
    sweep: (): Promise<void> => store.deleteOldMessages(db, KEPT_DAYS),
  }
}

const presentMessage = ({ id, channel, title, text, link, read, created_at }: MessageRow): UserMessage => ({
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
