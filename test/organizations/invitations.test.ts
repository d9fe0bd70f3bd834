import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join as joinPath } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { createMailer, readOutbox, toMailName } from '#server/core/mail.ts'
import { expectCallError } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { TRUST_PROXY: '1', INVITATION_MAILS_TOTAL: '200' } })

/** Creates an account with an organization. */
async function createInviter(name = '星河工作室') {
  const client = await world.user()
  const { uuid: id } = await client.call('POST /api/organization', { body: { name } })
  return { client, id }
}
type Inviter = Awaited<ReturnType<typeof createInviter>>
const invite = ({ client, id }: Inviter, emails: string[], address = '198.51.100.1') =>
  client.call(
    'POST /api/organization/{id}/members/invite',
    { params: { id }, body: { emails } },
    { headers: { 'X-Forwarded-For': address } },
  )
const listMails = async (to: string) =>
  (await readOutbox(world.data_dir, 500)).filter((mail) => mail.to === to && mail.unsubscribe_url)
const countInvitations = async ({ client, id }: Inviter): Promise<number> =>
  (await client.call('GET /api/organization/{id}/invitations', { params: { id } })).total
const toEmails = (count: number, host: string) => Array.from({ length: count }, (_, nth) => `p${nth}@${host}`)
const letDaysPass = (days: number) =>
  world.db().execute(sql`UPDATE limit_uses SET used_at = used_at - make_interval(days => ${days})`)
async function pay({ client }: Inviter) {
  const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await client.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
}

describe('a mail with an invitation', () => {
  test('is ours in every word but two names, which carry nothing else', async () => {
    const inviter = await createInviter('Node.js 爱好者')
    await inviter.client.call('PUT /api/user/info', { body: { name: '王「小」明' } })
    await invite(inviter, ['words@mail.example'])
    const [mail] = await listMails('words@mail.example')
    expect(mail!.subject).toBe('问渠：邀请你加入组织')
    const [, link, refusal] = /(http\S+invitation=[\w-]{43})\n[^]*(http\S+\/invitations\/refusal\/\S+)$/.exec(
      mail!.text,
    )!
    expect(mail!.text).toBe(
      `「王『小』明」邀请你加入问渠上的组织「Node. js 爱好者」。打开下面的链接并登录，就可以加入：\n\n${link}\n\n` +
        '链接 7 天内有效，只能使用一次。名称由对方填写，未经问渠核实；如果你不认识邀请你的人，请忽略这封邮件。' +
        `\n\n不想再收到组织的邀请：\n${refusal}`,
    )
    expect(mail!.unsubscribe_url).toBe(refusal)
    expect(toMailName('很'.repeat(21))).toBe(`「${'很'.repeat(19)}…」`)

    // Names from before the rule.
    await world.db().execute(sql`UPDATE users SET name = '领奖 evil.com' WHERE name = '王「小」明'`)
    await world.db().execute(sql`UPDATE organizations SET name = '加QQ 123456' WHERE id = ${inviter.id}`)
    await invite(inviter, ['old-names@mail.example'])
    const [old] = await listMails('old-names@mail.example')
    expect(old!.text.replaceAll(/http\S+/g, '链接')).toBe(
      '有人邀请你加入问渠上的一个组织。打开下面的链接并登录，就可以加入：\n\n链接\n\n' +
        '链接 7 天内有效，只能使用一次。名称由对方填写，未经问渠核实；如果你不认识邀请你的人，请忽略这封邮件。' +
        '\n\n不想再收到组织的邀请：\n链接',
    )
  })

  test('has no name in it that is an address, a number or hidden: it is refused where it is given', async () => {
    const { client, id } = await createInviter()
    const other = await world.user()
    const calls = [
      client.call('PUT /api/user/info', { body: { name: '领奖 evil。com' } }),
      client.call('PUT /api/organization/{id}', { params: { id }, body: { name: '加微信 abc12345' } }),
      other.call('POST /api/organization', { body: { name: 'a\u202eb' } }),
    ]
    const told = await Promise.all(calls.map(async (call) => (await expectCallError(call)).body))
    expect(told.map(({ errors }) => errors?.name)).toEqual([
      '名称里不能有网址或域名',
      '名称里不能有电话、QQ、微信等联系号码',
      '名称里不能有换行、控制字符或看不见的字符',
    ])
  })

  test('is sent with what mail programs show a button for', async () => {
    let received = ''
    const server = createServer((socket) => {
      socket.write('220 test\r\n')
      let isData = false
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (isData) received += text
        if (isData && !received.endsWith('\r\n.\r\n')) return
        socket.write(text.startsWith('DATA') ? '354 go on\r\n' : '250 ok\r\n')
        isData = text.startsWith('DATA')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { data_dir } = world
    const mailer = createMailer(
      { environment: 'test', data_dir, smtp_url: smtpUrl, mail_from: 'a@example.com', sms: null },
      createLog('silent'),
    )
    const inviter = await createInviter()
    await invite(inviter, ['button@mail.example'])
    const [mail] = await listMails('button@mail.example')
    await mailer.send(mail!)
    server.close()
    const headers = received.slice(0, received.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' ')
    expect(headers.replace(/\s+/g, ' ')).toContain(`List-Unsubscribe: <${mail!.unsubscribe_url}>`)
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(headers).toContain('Content-Type: text/plain')
  })
})

describe('invitations of 24 hours', () => {
  test('are 10 of an account, and 100 of one that has paid; who was sent none is named', async () => {
    const inviter = await createInviter()
    const error = await expectCallError(invite(inviter, toEmails(12, 'account.example')))
    expect([error.status, error.body.message]).toEqual([
      429,
      '已发送 10 封邀请，这些邮箱没有发送：p10@account.example、p11@account.example' +
        '（一个账号 24 小时内最多发 10 封邀请，充值过的账号 100 封）',
    ])
    expect(Number(error.headers.get('Retry-After'))).toBeGreaterThan(86_000)
    expect(await countInvitations(inviter)).toBe(10)
    const again = await expectCallError(invite(inviter, ['p0@account.example']))
    expect(again.body.message).toMatch(/^邀请成员失败，这些邮箱没有发送：p0@account\.example（/)
    await pay(inviter)
    await invite(inviter, toEmails(50, 'paid.example'))
    expect(await countInvitations(inviter)).toBe(60)
    await letDaysPass(1)
  })

  test('are 3 to a mailbox from everybody together, however its address is written; a mail that failed is none', async () => {
    const inviters = await Promise.all(Array.from({ length: 4 }, () => createInviter()))
    const [first, second, third, fourth] = inviters as [Inviter, Inviter, Inviter, Inviter]
    const outbox = joinPath(world.data_dir, 'outbox')
    await rm(outbox, { recursive: true })
    await writeFile(outbox, 'no folder')
    const { status, body } = await expectCallError(invite(first, ['m.ai.l@gmail.com']))
    await rm(outbox)
    expect([status, body.message]).toEqual([
      503,
      '邀请成员失败，这些邮箱没有发送：m.ai.l@gmail.com（邮件没有发送成功，请稍后重试）',
    ])
    expect(await countInvitations(first)).toBe(0)

    await invite(first, ['m.ai.l@gmail.com'])
    await invite(second, ['mail+1@googlemail.com'])
    await invite(third, ['Mail@gmail.com'])
    const error = await expectCallError(invite(fourth, ['mail+2@gmail.com', 'other@gmail.com']))
    expect(error.body.message).toBe(
      '已发送 1 封邀请，这些邮箱没有发送：mail+2@gmail.com（一个邮箱 24 小时内最多收到 3 封邀请）',
    )
    await letDaysPass(1)
    await invite(fourth, ['mail+2@gmail.com'])
  })

  test('are 50 from a network of accounts that have paid nothing, and of the house what its operator says', async () => {
    for (let nth = 0; nth < 5; nth++)
      await invite(await createInviter(), toEmails(10, `n${nth}.example`), `2001:db8:1:2::${nth}`)
    const inviter = await createInviter()
    const error = await expectCallError(invite(inviter, ['a@network.example'], '2001:db8:1:2:ff::1'))
    expect(error.body.message).toContain('（你所在的网络 24 小时内发出的邀请已达上限）')
    await invite(inviter, ['a@network.example'], '2001:db8:1:3::1')

    await world.db().execute(sql`
      INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), 'invitation:house:' FROM generate_series(1, 200)`)
    const full = await expectCallError(invite(inviter, ['b@network.example'], '2001:db8:1:3::1'))
    expect(full.body.message).toContain('（本站 24 小时内发出的邀请已达上限）')
    await letDaysPass(1)
  })
})

test('a mailbox that wants no invitations gets none, which nobody who invites can tell', async () => {
  const inviter = await createInviter()
  await invite(inviter, ['no@refusal.example'])
  const url = new URL((await listMails('no@refusal.example'))[0]!.unsubscribe_url!)
  const post = (path: string) =>
    fetch(world.url + path, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
  const getPage = async () => (await fetch(world.url + url.pathname)).text()
  // Programs that follow links change nothing.
  expect(await getPage()).toContain('"refused":false')
  await invite(inviter, ['no+tag@refusal.example'])
  expect(await listMails('no+tag@refusal.example')).toHaveLength(1)

  expect((await post(url.pathname)).status).toBe(204)
  expect((await post(url.pathname)).status).toBe(204)
  expect(await getPage()).toContain('"refused":true')
  const other = await createInviter()
  expect(await invite(other, ['no@refusal.example'])).toEqual({ message: '所有邀请发送成功' })
  expect(await countInvitations(other)).toBe(1)
  expect((await expectCallError(invite(inviter, ['no@refusal.example']))).body.message).toContain(
    '（一个邮箱 24 小时内最多收到 3 封邀请）',
  )
  expect(await listMails('no@refusal.example')).toHaveLength(1)
  const { rows } = await world.db().execute(sql`SELECT * FROM invitation_refusals`)
  expect(JSON.stringify(rows)).not.toContain('refusal.example')

  const token = url.pathname.split('/').at(-1)!
  await world.visitor().call('DELETE /invitations/refusal/{token}', { params: { token } })
  await letDaysPass(1)
  await invite(other, ['no@refusal.example'])
  expect(await listMails('no@refusal.example')).toHaveLength(2)

  const [mailbox, signature] = token.split('.') as [string, string]
  const forged = `/invitations/refusal/${mailbox.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}.${signature}`
  expect([(await post(forged)).status, (await fetch(world.url + forged)).status]).toEqual([404, 404])
})
