import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { insertNotifications, insertRelease } from './store.ts'
import type { NewNotification } from './store.ts'

// The operator's words to everybody: `npm run admin`.

/** Accounts notified by one statement, which locks them against deletion while it runs. */
const BATCH_SIZE = 1_000
/** Sorts before the id of every account. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Sends every account the same message, and returns their number. A failure leaves some accounts notified, and a second attempt
 * notifies them again.
 */
export async function notifyEverybody(db: Db, { link, ...message }: NewNotification): Promise<number> {
  let total = 0
  let after: string | null = FIRST_ID
  while (after !== null) {
    const row = { id: createId(), ...message, link: link ?? null }
    const { count, last }: Awaited<ReturnType<typeof insertNotifications>> = await insertNotifications(
      db,
      row,
      {
        after,
        size: BATCH_SIZE,
      },
    )
    total += count
    after = last
  }
  return total
}

/** Adds a release note in Markdown, and tells every account; returns the number of accounts. */
export async function publishRelease(db: Db, release: { title: string; text: string }): Promise<number> {
  await insertRelease(db, { id: createId(), ...release })
  return notifyEverybody(db, {
    channel: 'system',
    title: `更新：${release.title}`,
    text: '更新日志里有新的一条，点开查看。',
    link: '/profile/messages?tab=releases',
  })
}
