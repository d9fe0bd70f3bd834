import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { notify } from '#server/notifications/notifications.ts'
import type { NewNotification } from '#server/notifications/notifications.ts'
import { makeDocx, replyWith, startTranslation, waitForTranslation } from '../translate/document.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const getUserId = async (user: Client) => (await user.call('GET /api/user/info', {})).uuid
const tell = async (user: Client, message: Partial<NewNotification> = {}) =>
  notify(world.db(), await getUserId(user), { channel: 'system', title: '标题', text: '正文', ...message })
const getUnread = (user: Client, page?: number) =>
  user.call('GET /api/notifications/unread', { query: { page } })

test('what a user is told is unread, the newest first by pages of ten, until all of it is read', async () => {
  const user = await world.user()
  for (let number = 1; number <= 12; number++) await tell(user, { title: `第 ${number} 条` })
  const first = await getUnread(user)
  expect(first.total_unread).toBe(12)
  expect(first.notifications.map(({ title }) => title)).toEqual(
    Array.from({ length: 10 }, (_, index) => `第 ${12 - index} 条`),
  )
  expect(first.notifications[0]).toMatchObject({ channel: 'system', text: '正文', link: null, read: false })
  expect((await getUnread(user, 2)).notifications.map(({ title }) => title)).toEqual(['第 2 条', '第 1 条'])
  expect(await getUnread(user, 3)).toEqual({ notifications: [], total_unread: 12 })
  expect(await user.call('PUT /api/notifications/mark_all_as_read', {})).toEqual({ total_unread: 0 })
  expect(await getUnread(user)).toEqual({ notifications: [], total_unread: 0 })
  const { items, ...page } = await user.call('GET /api/user/messages', { query: { page: 2 } })
  expect(items.map(({ title, read }) => `${title} ${read}`)).toEqual(['第 2 条 true', '第 1 条 true'])
  expect(page).toEqual({
    total: 12,
    prev_url: '/api/user/messages?page=1&page_size=10',
    next_url: null,
    cur_page: 2,
    from: 11,
    to: 12,
  })
})

test('messages are listed by channel, and are their user’s own', async () => {
  const [user, other] = [await world.user(), await world.user()]
  await tell(user, { channel: 'credit', title: '余额不足', link: '/credit' })
  await tell(user, { channel: 'task', title: '翻译已完成' })
  await tell(other, { title: '给别人的' })
  const listOf = async (query: object) => (await user.call('GET /api/user/messages', { query })).items
  expect((await listOf({})).map(({ title }) => title)).toEqual(['翻译已完成', '余额不足'])
  expect(await listOf({ channel: 'credit' })).toMatchObject([{ title: '余额不足', link: '/credit' }])
  expect(await listOf({ channel: 'organization' })).toEqual([])
  expect(await listOf({ channel: 'weather' })).toEqual([])
  await user.call('PUT /api/notifications/mark_all_as_read', {})
  expect((await getUnread(other)).total_unread).toBe(1)
  expect((await expectCallError(getUnread(world.visitor()))).status).toBe(401)
})

test('a message is there exactly if the transaction that it belongs to was committed', async () => {
  const user = await world.user()
  const userId = await getUserId(user)
  const failed = world.db().transaction(async (tx) => {
    await notify(tx, userId, { channel: 'system', title: '不会发生', text: '' })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect((await getUnread(user)).total_unread).toBe(0)
})

test('the owner of a task that took long is told how it ended', async () => {
  const user = await world.user()
  world.upstream.script('flat', { reply: replyWith(), stall: 'headers' })
  const content = makeDocx(['The lake is quiet.'])
  const { task } = await startTranslation(world, user, { name: '湖.docx', content })
  await expect.poll(() => world.upstream.requests.length).toBe(1)
  await world.db().execute(sql`UPDATE tasks SET created_at = now() - interval '2 minutes' WHERE id = ${task}`)
  world.upstream.release()
  await waitForTranslation(user, task)
  expect(await getUnread(user)).toMatchObject({
    total_unread: 1,
    notifications: [
      {
        channel: 'task',
        title: '翻译已完成',
        text: '“湖.docx”已经可以查看了。',
        link: `/fanyi?task=${task}`,
      },
    ],
  })
})

test('release notes are read by pages, by everybody', async () => {
  const visitor = world.visitor()
  const dates: string[] = []
  for (let page: number | null = 1; page;) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(page)
    expect(answer.has_more).toBe(answer.next_page !== null)
    expect(answer.releases.every(({ title, text }) => title && text)).toBe(true)
    dates.push(...answer.releases.map(({ date }) => date))
    page = answer.next_page
  }
  expect(dates.length).toBeGreaterThan(5)
  expect(dates).toEqual(dates.toSorted().reverse())
  expect(await readPage(999)).toEqual({ releases: [], has_more: false, next_page: null })
  function readPage(page: number) {
    return visitor.call('GET /api/releases', { query: { page } })
  }
})
