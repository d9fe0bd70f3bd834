import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendAdminCommand } from '#server/admin/socket.ts'
import type { Client } from '../world/client.ts'
import { useAppProcess } from '../world/use-world.ts'

const app = useAppProcess()
let client: Client
beforeAll(async () => {
  client = await app.user('rich@example.com')
})

/** Runs `npm run admin -- <words>` on the app's data. */
const runAdmin = (...words: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['scripts/admin.ts', ...words], { env: app.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
/** Asks the running server itself, which costs no process. */
const send = (...words: string[]) => sendAdminCommand(app.data_dir, words)
const getBalance = async () => (await client.call('GET /api/user/info', {})).balance

describe('npm run admin', () => {
  test("grants coins beside the running server, over a socket that is only its owner's", async () => {
    const { code, output } = await runAdmin('grant', 'Rich@Example.com', '12.50')
    expect([code, output]).toEqual([0, expect.stringContaining('balance 62.5')])
    expect(await getBalance()).toBe(62.5)
    expect((await stat(join(app.data_dir, 'admin.sock'))).mode & 0o777).toBe(0o600)
  })

  test('ends with 1 and one clear line where it is refused', async () => {
    const { code, output } = await runAdmin('grant', 'nobody@example.com', '1')
    expect([code, output]).toEqual([1, expect.stringContaining('没有这个用户')])
  })

  test.each([
    [['grant', 'rich@example.com', '-1']],
    [['grant', 'rich@example.com', '1e3']],
    [['grant', 'rich@example.com', '0.001']],
    [['constructor']],
    [[]],
  ])('says how it is used instead of doing %j', async (words) => {
    const refused = { ok: false, output: expect.stringContaining('usage') as string }
    expect(await send(...words)).toEqual(refused)
    expect(await getBalance()).toBe(62.5)
  })

  test('tells one account or all of them, and publishes release notes', async () => {
    const other = await app.user('other@example.com')
    const listUnread = async (user: Client) =>
      (await user.call('GET /api/notifications/unread', {})).notifications.map(({ title, text }) => [
        title,
        text,
      ])
    expect(await send('notice', '--to', 'Rich@example.com', '退款', '已经退回。')).toMatchObject({
      ok: true,
    })
    expect(await send('notice', '今晚维护', '约十分钟。')).toMatchObject({
      ok: true,
      output: expect.stringContaining('told 2 accounts'),
    })
    const notice = ['今晚维护', '约十分钟。']
    expect([await listUnread(client), await listUnread(other)]).toEqual([
      [notice, ['退款', '已经退回。']],
      [notice],
    ])
    expect(await send('release', '新功能', '- 一\n- 二')).toMatchObject({
      ok: true,
    })
    const { releases } = await other.call('GET /api/releases', { query: {} })
    expect(releases[0]).toMatchObject({ title: '新功能', text: '- 一\n- 二' })
    expect(await listUnread(other)).toHaveLength(2)
    expect(await send('notice', '--to', 'nobody@example.com', '一', '二')).toMatchObject({
      ok: false,
      output: expect.stringContaining('没有这个用户'),
    })
  })

  test.each([
    [['notice']],
    [['notice', '只有标题']],
    [['notice', '标题', '没有', '引号']],
    [['notice', '--too', 'rich@example.com']],
    [['notice', '长'.repeat(61), '正文']],
    [['release', '标题', ' ']],
  ])('tells nobody %j, but how it is used', async (words) => {
    const refused = { ok: false, output: expect.stringContaining('usage') as string }
    const count = async () => (await client.call('GET /api/notifications/unread', {})).total_unread
    const before = await count()
    expect(await send(...words)).toEqual(refused)
    expect(await count()).toBe(before)
  })

  test('reads no more of a request than one may be long', async () => {
    const socket = createConnection({ path: join(app.data_dir, 'admin.sock'), allowHalfOpen: true })
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    // The request has no end: a server that waits for it would wait for ever.
    socket.write('x'.repeat(1_000_000))
    expect(JSON.parse(await text(socket))).toEqual({ ok: false, output: 'request too long' })
    socket.destroy()
  })

  test('grants on a stopped server too', async () => {
    expect(await app.terminate()).toBe(0)
    expect((await runAdmin('grant', 'rich@example.com', '0.50')).code).toBe(0)
    await app.start()
    expect(await getBalance()).toBe(63)
  })
})
