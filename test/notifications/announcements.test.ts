import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { notifyEverybody, publishRelease } from '#server/notifications/notifications.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()

/** Adds accounts that nobody has signed in to. */
const addAccounts = (count: number) =>
  world.db().execute(sql`
    INSERT INTO users (id, guest, name, invite_code)
    SELECT gen_random_uuid(), false, 'n' || n, gen_random_uuid()::text FROM generate_series(1, ${count}::int) n`)

test('every account is told once, however many there are, and no guest', async () => {
  const user = await world.user()
  const guest = world.visitor()
  await guest.ask('你好')
  await addAccounts(2_500)
  const accounts = await world.db().execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM users WHERE NOT guest`)
  const { count } = accounts.rows[0]!
  expect(
    await notifyEverybody(world.db(), { channel: 'system', title: '今晚维护', text: '约十分钟。' }),
  ).toBe(count)
  const { rows } = await world.db().execute(sql`
    SELECT count(*)::int AS messages, count(DISTINCT user_id)::int AS users, count(DISTINCT id)::int AS ids
    FROM user_messages`)
  expect(rows).toEqual([{ messages: count, users: count, ids: count }])
  expect(await user.call('GET /api/notifications/unread', {})).toMatchObject({
    total_unread: 1,
    notifications: [{ channel: 'system', title: '今晚维护', text: '约十分钟。', link: null, read: false }],
  })
})

test('a release that is published stands before those of the program, and is unread until all is read', async () => {
  const user = await world.user()
  const list = async () => (await world.visitor().call('GET /api/releases', { query: {} })).releases
  const [newest] = await list()
  await publishRelease(world.db(), { title: '第一次', text: '**正文**' })
  await publishRelease(world.db(), { title: '第二次', text: '更多' })
  const releases = await list()
  expect(releases.slice(0, 2)).toMatchObject([
    { title: '第二次', text: '更多' },
    { title: '第一次', text: '**正文**' },
  ])
  expect(releases[2]).toEqual(newest)
  const { notifications, total_unread } = await user.call('GET /api/notifications/unread', {})
  expect(total_unread).toBe(2)
  expect(notifications[0]).toMatchObject({
    channel: 'system',
    title: '更新：第二次',
    link: '/profile/messages?tab=releases',
  })
  expect(await user.call('PUT /api/notifications/mark_all_as_read', {})).toEqual({ total_unread: 0 })
  // A later account has missed nothing.
  const later = await world.user()
  expect((await later.call('GET /api/notifications/unread', {})).total_unread).toBe(0)
})
