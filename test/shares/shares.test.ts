import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../agents/agent.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

/** Creates a signed-in person with a conversation of two turns. */
async function createSharer() {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一' }, { text: '答二' })
  const { sess_id } = await client.ask('问一')
  await client.ask('问二', { sess_id })
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  return { client, sess_id, ids: messages.map(({ id }) => id) }
}

const createLink = async (client: Client, sessId: string, messageIds?: string) =>
  (await client.call('GET /api/chat/session/link', { query: { sess_id: sessId, message_ids: messageIds } }))
    .share
const readShare = (client: Client, id: string) =>
  client.call('GET /api/session/{id}/messages', { params: { id } })
const revokeShare = (client: Client, id: string) =>
  client.call('DELETE /api/chat/session/link', { query: { id } })
const getShownTexts = async (id: string) =>
  (await readShare(world.visitor(), id)).messages.map(({ text }) => text)

describe('a share', () => {
  test('of a whole conversation is read by anybody who has its link', async () => {
    const { client, sess_id } = await createSharer()
    const share = await createLink(client, sess_id)
    expect(share).toMatchObject({ title: '问一', count: 4, sess_id })
    // 256 bits as base64url.
    expect(share.id).toMatch(/^[\w-]{43}$/)
    const { invite_url, name } = await client.call('GET /api/user/info', {})
    const code = new URL(invite_url).searchParams.get('invite_code')
    expect(new URL(share.url).pathname).toBe(`/share/${share.id}`)
    expect(new URL(share.url).searchParams.get('invite_code')).toBe(code)
    const shared = await readShare(world.visitor(), share.id)
    expect(shared.user).toEqual({ name, avatar: '' })
    expect(shared.messages.map(({ nth, role, text }) => [nth, role, text])).toEqual([
      [0, 'human', '问一'],
      [1, 'ai', '答一'],
      [2, 'human', '问二'],
      [3, 'ai', '答二'],
    ])
  })

  test('of chosen messages shows those alone, and is titled from them', async () => {
    const { client, sess_id, ids } = await createSharer()
    const share = await createLink(client, sess_id, ids.slice(2).join(','))
    expect(share).toMatchObject({ title: '问二', count: 2 })
    expect(await getShownTexts(share.id)).toEqual(['问二', '答二'])
    expect(JSON.stringify(await readShare(world.visitor(), share.id))).not.toContain('问一')
  })

  test('of the same messages is the same link, of others another one', async () => {
    const { client, sess_id, ids } = await createSharer()
    const [first, second] = await Promise.all([createLink(client, sess_id), createLink(client, sess_id)])
    expect(first.id).toBe(second.id)
    expect((await createLink(client, sess_id, ids[0])).id).not.toBe(first.id)
    await client.ask('问三', { sess_id })
    expect((await createLink(client, sess_id)).id).not.toBe(first.id)
    expect(await getShownTexts(first.id)).toEqual(['问一', '答一', '问二', '答二'])
  })

  test('of an answer that was written on is another link, and the first one shows what it did', async () => {
    const { client, sess_id, ids } = await createSharer()
    const first = await createLink(client, sess_id)
    await world.db().execute(sql`UPDATE chat_messages SET text = '答二，写完' WHERE id = ${ids[3]!}`)
    const second = await createLink(client, sess_id)
    expect(second.id).not.toBe(first.id)
    expect([(await getShownTexts(first.id))[3], (await getShownTexts(second.id))[3]]).toEqual([
      '答二',
      '答二，写完',
    ])
  })

  test('keeps what it showed when an answer is given again, and leaves out one that is being written', async () => {
    const { client, sess_id } = await createSharer()
    const share = await createLink(client, sess_id)
    world.upstream.script('scripted', { text: '答二，另一个说法', chars: 2, stall: 2 })
    await client.call('POST /api/chat/create', { body: { sess_id, regen: true } })
    expect(await getShownTexts(share.id)).toEqual(['问一', '答一', '问二', '答二'])
    const during = await createLink(client, sess_id)
    expect(await getShownTexts(during.id)).toEqual(['问一', '答一', '问二'])
    world.upstream.release()
  })

  test('tells nothing of its owner but name and avatar', async () => {
    const client = await world.user('geheim@example.com')
    await client.call('PUT /api/user/chat_setting', { body: { enabled: true, self_intro: '私密的自我介绍' } })
    world.upstream.script('scripted', { text: '答' })
    const { sess_id } = await client.ask('问')
    const { id, url } = await createLink(client, sess_id)
    const { uuid } = await client.call('GET /api/user/info', {})
    const page = await world.visitor().fetch(new URL(url).pathname)
    expect(page.status).toBe(200)
    const [json, html] = [JSON.stringify(await readShare(world.visitor(), id)), await page.text()]
    for (const secret of ['geheim', uuid, '私密的自我介绍', sess_id, 'balance":'])
      for (const text of [json, html]) expect(text).not.toContain(secret)
  })

  test('is a page without search engines, as long as it is there', async () => {
    const { client, sess_id } = await createSharer()
    const { id } = await createLink(client, sess_id)
    const page = await world.visitor().fetch(`/share/${id}`)
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex')
    for (const path of [`/api/session/${id}/messages`, '/api/session/none/messages']) {
      expect((await world.visitor().fetch(path)).headers.get('X-Robots-Tag')).toBe('noindex')
    }
    const html = await page.text()
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).toContain('答二')
    expect(await (await world.visitor().fetch('/')).text()).not.toContain('noindex')
    await revokeShare(client, id)
    const [gone, unknown] = [await client.fetch(`/share/${id}`), await client.fetch('/share/none')]
    expect([gone.status, unknown.status]).toEqual([404, 404])
    expect(await gone.text()).toContain('"component":"NotFound"')
  })

  test('its link is shown with its title and how it answers; one that is gone and private pages tell only the site', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '**答案**是"四" <b>&</b>' })
    const { sess_id } = await client.ask('<script>alert(1)</script> 二加二')
    const { id } = await createLink(client, sess_id)
    const readHead = async (path: string) =>
      (await (await client.fetch(path)).text()).split('<script')[0] ?? ''
    const head = await readHead(`/share/${id}`)
    expect(head).toMatch(/<title>[^<]*二加二[^<]* · 问渠<\/title>/)
    expect(head).toMatch(/<meta property="og:title" content="&lt;script&gt;[^"<]*二加二[^"<]*">/)
    expect(head).toContain(
      '<meta property="og:description" content="答案是&quot;四&quot; &lt;b&gt;&amp;&lt;/b&gt;">',
    )
    const site = '<meta property="og:title" content="问渠">'
    expect(await readHead(`/chat?sess_id=${sess_id}`)).toContain(site)
    await revokeShare(client, id)
    const gone = await readHead(`/share/${id}`)
    expect(gone).toContain(site)
    expect(gone).not.toContain('二加二')
  })

  test('is refused on the next request after it was revoked', async () => {
    const { client, sess_id } = await createSharer()
    const { id } = await createLink(client, sess_id)
    await revokeShare(client, id)
    expect((await expectCallError(readShare(world.visitor(), id))).status).toBe(404)
    expect((await expectCallError(readShare(client, id))).status).toBe(404)
    expect((await expectCallError(revokeShare(client, id))).status).toBe(404)
    expect((await createLink(client, sess_id)).id).not.toBe(id)
  })

  test('ends with its conversation, and loses the messages that its owner deletes', async () => {
    const { client, sess_id } = await createSharer()
    const { id } = await createLink(client, sess_id)
    await client.call('DELETE /api/chat/messages', { query: { sess_id } })
    expect((await expectCallError(readShare(world.visitor(), id))).status).toBe(404)
    const other = await createSharer()
    const share = await createLink(other.client, other.sess_id)
    await other.client.call('DELETE /api/chat/session/{id}', { params: { id: other.sess_id } })
    expect((await expectCallError(readShare(world.visitor(), share.id))).status).toBe(404)
    expect((await other.client.call('GET /api/chat/session/links', {})).total).toBe(0)
  })

  test('needs an account and something to share', async () => {
    const guest = world.visitor()
    const { sess_id } = await guest.ask('问')
    expect((await expectCallError(createLink(guest, sess_id))).status).toBe(401)
    const client = await world.user()
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    const empty = await expectCallError(createLink(client, session.id))
    expect([empty.status, empty.body.code]).toEqual([422, 'share_empty'])
    expect((await expectCallError(createLink(client, session.id, 'keine,ids'))).status).toBe(422)
  })

  test('is not made by a link on a foreign site', async () => {
    const { client, sess_id } = await createSharer()
    const response = await fetch(`${world.url}/api/chat/session/link?sess_id=${sess_id}`, {
      headers: { Cookie: client.cookie },
    })
    expect(response.status).toBe(403)
    expect((await client.call('GET /api/chat/session/links', {})).total).toBe(0)
  })
})

describe('a share of a conversation with an agent', () => {
  test('names the agent and is continued with it while it is public, and not a moment longer', async () => {
    const [owner, client, reader] = [await world.user(), await world.user(), await world.user()]
    const { uuid, chatbot } = await createAgent(world, owner, {}, { name: '渠水', visible: 2 })
    world.upstream.script('scripted', { text: '答' })
    const { sess_id } = await client.ask('问', { chatbot })
    const { id } = await createLink(client, sess_id)
    const getContinued = async () =>
      (await reader.call('POST /api/session/{id}/continue', { params: { id } })).session.chatbot
    expect((await readShare(world.visitor(), id)).agent).toEqual({ uuid, name: '渠水' })
    expect(await getContinued()).toBe(chatbot)
    await owner.call('POST /api/agent/{id}/link', { params: { id: uuid }, body: { visible: 0 } })
    expect((await readShare(world.visitor(), id)).agent).toBeNull()
    expect(JSON.stringify(await readShare(world.visitor(), id))).not.toContain(uuid)
    expect(await getContinued()).toBe('dati')
  })

  test('names for each answer who gave it, wherever the conversation was copied, and is continued with whom answered last', async () => {
    const [owner, client, reader] = [await world.user(), await world.user(), await world.user()]
    const agents = [
      await createAgent(world, owner, {}, { name: '渠水', visible: 2 }),
      await createAgent(world, owner, {}, { name: '方塘', visible: 2 }),
    ] as const
    const fork = async (sessId: string, chatbot: string) =>
      (await client.call('POST /api/chat/session/fork', { body: { sess_id: sessId, chatbot } })).session.id
    const general = await client.ask('问')
    const first = await fork(general.sess_id, agents[0].chatbot)
    const readNames = async (sessId: string) => {
      const { messages, agent } = await readShare(world.visitor(), (await createLink(client, sessId)).id)
      const answers = messages.filter(({ role }) => role === 'ai')
      return [...answers.map((answer) => answer.agent?.name ?? null), agent?.name ?? null]
    }
    expect(await readNames(first)).toEqual([null, null])
    await client.ask('问渠', { chatbot: agents[0].chatbot, sess_id: first })
    const second = await fork(first, agents[1].chatbot)
    await client.ask('问塘', { chatbot: agents[1].chatbot, sess_id: second })
    const back = await fork(second, 'dati')
    expect(await readNames(back)).toEqual([null, '渠水', '方塘', '方塘'])
    const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: back } })
    expect(messages.map(({ agent }) => agent)).toEqual([
      null,
      null,
      null,
      agents[0].uuid,
      null,
      agents[1].uuid,
    ])
    const { id } = await createLink(client, back)
    const { session } = await reader.call('POST /api/session/{id}/continue', { params: { id } })
    expect(session.chatbot).toBe(agents[1].chatbot)
    const copied = await reader.call('GET /api/chat/messages', { query: { sess_id: session.id } })
    expect(copied.messages.map(({ agent }) => agent)).toEqual(messages.map(({ agent }) => agent))
    await owner.call('POST /api/agent/{id}/link', { params: { id: agents[1].uuid }, body: { visible: 0 } })
    expect(await readNames(back)).toEqual([null, '渠水', null, null])
  })

  test('names no other assistant', async () => {
    const { client, sess_id } = await createSharer()
    expect((await readShare(world.visitor(), (await createLink(client, sess_id)).id)).agent).toBeNull()
  })
})

describe('shares of others', () => {
  test('and their sessions and messages are answered like what never was', async () => {
    const [{ client, sess_id, ids }, other] = [await createSharer(), await createSharer()]
    const { id } = await createLink(client, sess_id)
    const random = crypto.randomUUID()
    const bodies = await Promise.all(
      [
        createLink(other.client, sess_id),
        createLink(other.client, random),
        createLink(other.client, other.sess_id, ids[0]),
        createLink(other.client, other.sess_id, [other.ids[0], random].join(',')),
        revokeShare(other.client, id),
        revokeShare(other.client, 'none'),
      ].map(async (call) => {
        const { status, body } = await expectCallError(call)
        return [status, body.code, body.message]
      }),
    )
    expect(new Set(bodies.map(String))).toEqual(new Set([String(bodies[0])]))
    expect(bodies[0]![0]).toBe(404)
    expect(await getShownTexts(id)).toHaveLength(4)
  })

  test('are not in my list, which is read in pages, the latest first', async () => {
    const [{ client, sess_id, ids }, other] = [await createSharer(), await createSharer()]
    await createLink(other.client, other.sess_id)
    const [first, second] = [
      await createLink(client, sess_id, ids[0]),
      await createLink(client, sess_id, ids[1]),
    ]
    const page = await client.call('GET /api/chat/session/links', { query: { size: 1 } })
    expect([page.total, page.items.map((share) => share.id)]).toEqual([2, [second.id]])
    expect(page.items[0]!.url).toBe(second.url)
    const next = await (await client.fetch(page.next_url!)).json()
    expect((next as typeof page).items.map((share) => share.id)).toEqual([first.id])
  })
})

describe('going on with a share', () => {
  test('copies it into a current conversation of the reader’s own', async () => {
    const { client, sess_id } = await createSharer()
    const { id } = await createLink(client, sess_id)
    const reader = await world.user()
    const { session } = await reader.call('POST /api/session/{id}/continue', { params: { id } })
    expect(session).toMatchObject({ title: '问一', current: true })
    expect(await getMessageLines(reader)).toEqual(['human: 问一', 'ai: 答一', 'human: 问二', 'ai: 答二'])
    world.upstream.script('scripted', { text: '答三' })
    await reader.ask('问三', { sess_id: session.id })
    const { messages } = world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }
    expect(messages.map(({ content }) => content)).toEqual(['问一', '答一', '问二', '答二', '问三'])
    expect(await getMessageLines(client, sess_id)).toHaveLength(4)
    await revokeShare(client, id)
    expect(await getMessageLines(reader, session.id)).toHaveLength(6)
  })

  test('needs an account, and a link that is there', async () => {
    const { client, sess_id } = await createSharer()
    const { id } = await createLink(client, sess_id)
    const go = (reader: Client) => reader.call('POST /api/session/{id}/continue', { params: { id } })
    expect((await expectCallError(go(world.visitor()))).status).toBe(401)
    await revokeShare(client, id)
    expect((await expectCallError(go(await world.user()))).status).toBe(404)
  })
})
