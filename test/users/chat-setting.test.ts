import { expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const getSetting = (client: Client) => client.call('GET /api/user/chat_setting', {})
const saveSetting = (
  client: Client,
  body: { enabled?: boolean; self_intro?: string; reply_style?: string },
) => client.call('PUT /api/user/chat_setting', { body })

/** Returns the messages of the model's latest prompt. */
const getLastPrompt = () =>
  (world.upstream.requests.at(-1)!.body as { messages: { role: string; content: string }[] }).messages

test('begins switched off and empty, and keeps what is not sent', async () => {
  const client = await world.user()
  expect(await getSetting(client)).toEqual({ enabled: false, self_intro: '', reply_style: '' })
  await saveSetting(client, { enabled: true, self_intro: '  我是小学老师。 ' })
  expect(await saveSetting(client, { reply_style: '简短' })).toEqual({
    enabled: true,
    self_intro: '我是小学老师。',
    reply_style: '简短',
  })
  expect((await getSetting(client)).self_intro).toBe('我是小学老师。')
})

test('is the system text of every question while it is enabled, and of none after it', async () => {
  const client = await world.user()
  await saveSetting(client, { self_intro: '我是小学老师。', reply_style: '多举例子。' })
  await client.ask('第一问')
  expect(getLastPrompt().map(({ role }) => role)).toEqual(['user'])
  await saveSetting(client, { enabled: true })
  await client.ask('第二问')
  const [system, ...others] = getLastPrompt()
  expect(system!.role).toBe('system')
  expect(system!.content).toContain('我是小学老师。')
  expect(system!.content).toContain('多举例子。')
  expect(others.map(({ content }) => content)).toEqual(['第一问', '第一问', '第二问'])
  await saveSetting(client, { enabled: false })
  await client.ask('第三问')
  expect(getLastPrompt().some(({ role }) => role === 'system')).toBe(false)
})

test('is nobody else’s business', async () => {
  const [client, other] = [await world.user(), await world.user()]
  await saveSetting(client, { enabled: true, self_intro: '只有我知道' })
  expect((await getSetting(other)).self_intro).toBe('')
  await other.ask('问')
  expect(JSON.stringify(getLastPrompt())).not.toContain('只有我知道')
})

test('asks visitors without an account to sign in', async () => {
  const guest = world.visitor()
  await guest.ask('问')
  expect((await expectCallError(getSetting(guest))).status).toBe(401)
  expect((await expectCallError(saveSetting(guest, { enabled: true }))).status).toBe(401)
  expect((await expectCallError(getSetting(world.visitor()))).status).toBe(401)
})

test('refuses what is too long or of the wrong kind, by field', async () => {
  const client = await world.user()
  const long = await expectCallError(saveSetting(client, { self_intro: '长'.repeat(2001) }))
  expect([long.status, Object.keys((long.body as unknown as { errors: object }).errors)]).toEqual([
    422,
    ['self_intro'],
  ])
  expect(await getSetting(client)).toMatchObject({ self_intro: '' })
})
