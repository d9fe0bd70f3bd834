import { sql } from 'drizzle-orm'
import type { Block } from '#contract/blocks.ts'
import { createId } from '#server/core/ids.ts'
import { describe, expect, test } from 'vitest'
import { upload, waitUntilRead } from '../files/upload.ts'
import { expectCallError, getMessageLines, type CallError, type Client } from '../world/client.ts'
import { startWorld } from '../world/world.ts'
import { useOwnWorld, useWorld } from '../world/use-world.ts'

const world = useWorld()

/** Scripts a model that stops in the middle of its answer until the test lets it go on. */
const scriptStall = (text: string, frame = 3) => {
  world.upstream.script('scripted', { text, chars: 2, stall: frame })
}
const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)

describe('sessions', () => {
  test('are begun, switched, listed, searched and deleted', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '好' })
    const first = await client.ask('如何煮一锅米饭')
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    expect(await getMessageLines(client)).toEqual([])
    const second = await client.ask('100% 的把握')
    expect(second.sess_id).toBe(session.id)
    const list = await client.call('GET /api/chat/sessions', {})
    expect(list).toMatchObject({ total: 2, cur_page: 1, from: 1, to: 2, prev_url: null, next_url: null })
    expect(list.items.map(({ title, current }) => [title, current])).toEqual([
      ['100% 的把握', true],
      ['如何煮一锅米饭', false],
    ])
    expect((await client.call('GET /api/chat/sessions', { query: { keywords: '0%' } })).total).toBe(1)
    await client.call('POST /api/chat/session/switch', { body: { sess_id: first.sess_id } })
    expect(await getMessageLines(client)).toEqual(['human: 如何煮一锅米饭', 'ai: 好'])
    await client.call('DELETE /api/chat/session/{id}', { params: { id: first.sess_id } })
    expect(await getMessageLines(client)).toEqual([])
    expect(
      (await expectCallError(client.call('GET /api/chat/messages', { query: { sess_id: first.sess_id } })))
        .status,
    ).toBe(404)
  })

  test('several are put away, taken out and deleted at once, and what is asked again comes back by itself', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '好' })
    const ids: string[] = []
    for (const prompt of ['甲', '乙', '丙']) {
      await client.call('POST /api/chat/session/new', { body: {} })
      ids.push((await client.ask(prompt)).sess_id)
    }
    const change = (action: 'archive' | 'restore' | 'delete', sessIds: string[], asker = client) =>
      asker.call('POST /api/chat/sessions/change', { body: { action, sess_ids: sessIds } })
    const titles = async (query: { tab?: 'active' | 'archived'; keywords?: string }) =>
      (await client.call('GET /api/chat/sessions', { query })).items.map(({ title }) => title)
    expect(await change('archive', [ids[0]!, ids[1]!, createId()])).toEqual({ changed: 2 })
    expect(await titles({})).toEqual(['丙'])
    expect(await titles({ tab: 'archived' })).toEqual(['乙', '甲'])
    expect(await titles({ keywords: '甲' })).toEqual(['甲'])
    await client.ask('再问', { sess_id: ids[0]! })
    await change('restore', [ids[1]!])
    expect(await titles({})).toEqual(['甲', '丙', '乙'])
    const stranger = await world.user()
    for (const action of ['archive', 'restore', 'delete'] as const)
      expect((await expectCallError(change(action, ids, stranger))).status).toBe(404)
    expect(await change('delete', [ids[0]!, ids[2]!])).toEqual({ changed: 2 })
    expect(await titles({})).toEqual(['乙'])
    expect((await expectCallError(change('delete', [ids[0]!]))).status).toBe(404)
  })

  test('the list says which turn is being answered', async () => {
    const client = await world.user()
    scriptStall(LONG)
    const { session, question } = await client.call('POST /api/chat/create', { body: { prompt: '慢慢说' } })
    const list = async () =>
      (await client.call('GET /api/chat/sessions', {})).items.map(({ id, running_turn }) => [
        id,
        running_turn,
      ])
    expect(await list()).toEqual([[session.id, question.chat_id]])
    await client.call('POST /api/chat/cancel', { body: { chat_id: question.chat_id } })
    expect(await list()).toEqual([[session.id, null]])
  })

  test('a turn names its session, which need not be the current one', async () => {
    const [client, other] = [await world.user(), await world.user()]
    world.upstream.script('scripted', { text: '好' })
    const first = await client.ask('一')
    const { session: second } = await client.call('POST /api/chat/session/new', { body: {} })
    const create = (body: object, asker = client) =>
      asker.call('POST /api/chat/create', { body: { prompt: '二', ...body } })
    const named = await create({ chat_id: first.chat_id })
    expect(named.session).toMatchObject({ id: first.sess_id, current: false })
    expect((await create({})).session).toMatchObject({ id: second.id, current: true })
    await client.call('POST /api/chat/completions', { query: { chat_id: named.chat_message.chat_id } })
    expect((await create({ sess_id: first.sess_id })).session.current).toBe(false)
    const refused = [
      create({ chat_id: createId() }),
      create({ chat_id: first.chat_id }, other),
      create({ chat_id: createId(), regen: true }),
    ]
    for (const { status, body } of await Promise.all(refused.map(expectCallError))) {
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })

  test('are begun only where a channel is served, and none of a bare channel is found', async () => {
    const client = await world.user()
    const create = (chatbot: string) => client.call('POST /api/chat/session/new', { body: { chatbot } })
    const save = (chatbot: string) => client.call('POST /api/chat/session/settings', { body: { chatbot } })
    for (const act of [create, save]) {
      expect((await expectCallError(act('block'))).body.code).toBe('channel_unavailable')
      expect((await expectCallError(act('zhiku'))).body.code).toBe('agent_required')
      expect((await expectCallError(act(`zhiku-${createId()}`))).body.code).toBe('agent_not_found')
    }
    for (const chatbot of ['zhiku', 'block']) {
      expect((await client.call('GET /api/chat/sessions', { query: { chatbot } })).total).toBe(0)
      expect((await client.call('GET /api/chat/messages', { query: { chatbot } })).messages).toEqual([])
    }
  })

  test('with what is not there, or is somebody else’s, are refused by every call that names it', async () => {
    const [owner, other] = [await world.user(), await world.user()]
    world.upstream.script('scripted', { text: '好' })
    const { sess_id } = await other.ask('你好')
    const { id } = await upload(world, owner, { name: '诗.md', content: '问渠那得清如许' })
    const { uuid } = await owner.call('POST /api/agent', { body: { name: '渠水' } })
    const compared = await owner.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
    const attempts = (asker: Client, chatbot: string) => [
      asker.call('POST /api/chat/session/new', { body: { chatbot } }),
      asker.call('POST /api/chat/session/settings', { body: { chatbot, system_prompt: '短' } }),
      asker.call('GET /api/chat/session/settings', { query: { chatbot } }),
      asker.call('POST /api/chat/session/fork', { body: { chatbot, sess_id } }),
      asker.call('POST /api/chat/create', { body: { chatbot, prompt: '你好' } }),
      asker.call('POST /api/chat/prompts/append', { body: { chatbot } }),
      asker.call('GET /api/chat/messages', { query: { chatbot } }),
      asker.call('DELETE /api/chat/messages', { query: { chatbot } }),
    ]
    const share = (chatbot: string) => other.call('GET /api/chat/session/link', { query: { chatbot } })
    for (const [code, chatbots] of [
      ['not_found', [`block-${id}`, `block-${createId()}`, 'block-x']],
      ['agent_not_found', [`zhiku-${uuid}`, `zhiku-${createId()}`]],
      ['not_found', [`compare-${compared.session.id}`, `compare-${createId()}`]],
    ] as const) {
      for (const chatbot of chatbots) {
        for (const { status, body } of await Promise.all(attempts(other, chatbot).map(expectCallError)))
          expect([chatbot, status, body.code]).toEqual([chatbot, 404, code])
        expect((await expectCallError(share(chatbot))).body.code).toBe('not_found')
        const nobody = world.visitor().call('GET /api/chat/messages', { query: { chatbot } })
        expect((await expectCallError(nobody)).body.code).toBe(code)
      }
    }
    expect((await other.call('GET /api/chat/sessions', {})).total).toBe(1)
    // Their owner has no conversation with them yet, either.
    for (const chatbot of [`block-${id}`, `zhiku-${uuid}`])
      expect((await owner.call('GET /api/chat/messages', { query: { chatbot } })).messages).toEqual([])
    const settings = { chatbot: `compare-${compared.session.id}`, system_prompt: '短' }
    const saved = await owner.call('POST /api/chat/session/settings', { body: settings })
    expect(saved.session!.id).toBe(compared.session.id)
  })

  test('of an agent that is gone can still be read, emptied and set up', async () => {
    const [owner, other] = [await world.user(), await world.user()]
    const { uuid } = await owner.call('POST /api/agent', { body: { name: '渠水', visible: 2 } })
    const chatbot = `zhiku-${uuid}`
    const { session } = await other.call('POST /api/chat/session/new', { body: { chatbot } })
    await owner.call('DELETE /api/agent/{id}', { params: { id: uuid } })
    const read = () => other.call('GET /api/chat/messages', { query: { chatbot } })
    expect((await read()).session).toMatchObject({ id: session.id })
    const body = { chatbot, system_prompt: '短' }
    expect((await other.call('POST /api/chat/session/settings', { body })).session!.id).toBe(session.id)
    expect(await other.call('DELETE /api/chat/messages', { query: { chatbot } })).toEqual({ deleted: 0 })
    await other.call('DELETE /api/chat/session/{id}', { params: { id: session.id } })
    expect((await expectCallError(read())).body.code).toBe('agent_not_found')
  })

  test('are named by a channel and an id beside it as by both in one word', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '好' })
    const uploaded = [
      await upload(world, client, { name: '诗.md', content: '问渠那得清如许' }),
      await upload(world, client, { name: '注.md', content: '渠，水道。' }),
    ]
    const [{ id: block }, { id: other }] = (await Promise.all(
      uploaded.map(({ id }) => waitUntilRead(client, id)),
    )) as [Block, Block]
    const { uuid: agent } = await client.call('POST /api/agent', {
      body: { name: '渠水', model: 'scripted' },
    })
    for (const [channel, beside] of [
      ['block', { block }],
      ['zhiku', { agent }],
    ] as const) {
      const chatbot = `${channel}-${Object.values(beside)[0]}`
      const named = { chatbot: channel, ...beside }
      const { session } = await client.call('POST /api/chat/session/new', { body: named })
      expect(session.chatbot).toBe(chatbot)
      const body = { ...named, system_prompt: '短' }
      const saved = await client.call('POST /api/chat/session/settings', { body })
      expect(saved).toMatchObject({ session: { id: session.id }, settings: { system_prompt: '短' } })
      const asked = await client.ask('为什么清？', { ...named, model: 'scripted' })
      expect(asked.sess_id).toBe(session.id)
      const page = await client.call('GET /api/chat/messages', { query: named })
      expect(page.session).toMatchObject({ id: session.id, chatbot })
      expect(page.messages.map(({ block: about }) => about)).toEqual([null, null])
      expect((await client.call('GET /api/chat/sessions', { query: named })).total).toBe(1)
      expect(await client.call('DELETE /api/chat/messages', { query: named })).toEqual({ deleted: 2 })
      const absent = { chatbot: channel, block: createId(), agent: createId() }
      expect(
        (await expectCallError(client.call('POST /api/chat/session/new', { body: absent }))).status,
      ).toBe(404)
    }
    // The first is the document of the conversation.
    const both = await client.ask('水道呢？', {
      chatbot: 'block',
      block: `${block},${other}`,
      model: 'scripted',
    })
    const { messages, session } = await client.call('GET /api/chat/messages', {
      query: { sess_id: both.sess_id },
    })
    expect([session!.chatbot, messages[0]!.block]).toEqual([`block-${block}`, other])
  })

  test('of a whole channel are listed, found and counted together', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '有源头活水来' })
    const chatbots: string[] = []
    for (const name of ['渠水', '清水']) {
      const { uuid } = await client.call('POST /api/agent', { body: { name, model: 'scripted' } })
      chatbots.push(`zhiku-${uuid}`)
    }
    const { id } = await upload(world, client, { name: '诗.md', content: '问渠那得清如许' })
    await waitUntilRead(client, id)
    chatbots.push(`block-${id}`)
    const asked: string[] = []
    for (const chatbot of chatbots)
      asked.push((await client.ask('为什么清？', { chatbot, model: 'scripted' })).sess_id)
    await client.ask('为什么清？')
    const [first, second, about] = asked as [string, string, string]
    const { session: begun } = await client.call('POST /api/chat/session/new', {
      body: { chatbot: chatbots[0] },
    })
    const list = async (query: object) =>
      (await client.call('GET /api/chat/sessions', { query })).items.map((item) => [item.id, item.current])
    expect(await list({ chatbot: 'zhiku' })).toEqual([
      [second, true],
      [first, false],
    ])
    expect(await list({ chatbot: 'block' })).toEqual([[about, true]])
    expect(await list({ chatbot: 'zhiku', keywords: '活水' })).toHaveLength(2)
    expect(await list({ chatbot: chatbots[1]!, keywords: '活水' })).toEqual([[second, true]])
    const { folder } = await client.call('POST /api/chat/folders', { body: { name: '水' } })
    const sessIds = [second, about, begun.id]
    await client.call('POST /api/chat/sessions/move', { body: { sess_ids: sessIds, folder_id: folder.id } })
    const { folders } = await client.call('GET /api/chat/folders', { query: { chatbot: 'zhiku' } })
    expect(folders).toMatchObject([{ count: 1 }])
    expect(await list({ chatbot: 'zhiku', folder_id: folder.id })).toEqual([[second, true]])
  })

  test('of the channel of comparisons are named so too', async () => {
    const client = await world.user()
    const begin = async () =>
      (await client.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })).session.id
    const [first, second] = [await begin(), await begin()]
    for (const beside of [{ id: first }, { sess_id: first }]) {
      const named = { chatbot: 'compare', ...beside }
      const body = { ...named, model: 'scripted' }
      expect((await client.call('POST /api/compare/models', { body })).session!.id).toBe(first)
      const read = await client.call('GET /api/compare/messages', { query: named })
      expect(read).toMatchObject({ session: { id: first }, models: [{ model: 'scripted' }] })
      expect((await client.call('GET /api/chat/messages', { query: named })).session!.id).toBe(first)
      world.upstream.script('scripted', { text: '好' })
      expect((await client.ask('问', named)).sess_id).toBe(first)
    }
    const current = await client.call('GET /api/compare/messages', { query: { chatbot: 'compare' } })
    expect(current.session!.id).toBe(second)
  })

  test('take form fields where the specification says form', async () => {
    const client = await world.user()
    const { sess_id } = await client.ask('x')
    const response = await client.fetch('/api/chat/session/switch', {
      method: 'POST',
      body: new URLSearchParams({ sess_id }),
    })
    expect(await response.json()).toMatchObject({ session: { id: sess_id, current: true } })
    // Fields that a form leaves empty read as absent.
    const body = new URLSearchParams({ chatbot: '' })
    const begun = await client.fetch('/api/chat/session/new', { method: 'POST', body })
    expect(await begun.json()).toMatchObject({ session: { chatbot: 'dati', current: true } })
  })

  test('are read in pages upwards', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '答' })
    const { sess_id } = await client.ask('问0')
    for (let n = 1; n < 7; n++) await client.ask(`问${n}`, { sess_id })
    const last = await client.call('GET /api/chat/messages', { query: { sess_id } })
    expect(last.messages).toHaveLength(10)
    expect(last.has_more).toBe(true)
    expect(last.messages.at(-2)!.text).toBe('问6')
    const before = last.messages[0]!.id
    const first = await client.call('GET /api/chat/messages', { query: { sess_id, before } })
    expect(first.messages.map(({ text }) => text)).toEqual(['问0', '答', '问1', '答'])
    expect(first.has_more).toBe(false)
  })

  test('are read a hundred at a time at most', async () => {
    const client = await world.user()
    const { total, next_url } = await client.call('GET /api/chat/sessions', { query: { size: 5000 } })
    expect([total, next_url]).toEqual([0, null])
    const { cur_page } = await client.call('GET /api/chat/sessions', { query: { page: 0, size: 0 } })
    expect(cur_page).toBe(1)
    for (const size of [-1, 1.5, 'many' as never]) {
      const error = await expectCallError(client.call('GET /api/chat/sessions', { query: { size } }))
      expect(error.status).toBe(422)
    }
  })

  test('are emptied, with an answer that is still running stopped', async () => {
    const client = await world.user()
    scriptStall(LONG)
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const { sess_id } = chat_message
    expect(await client.call('DELETE /api/chat/messages', { query: { sess_id } })).toEqual({ deleted: 2 })
    expect(await getMessageLines(client, sess_id)).toEqual([])
    await expect.poll(() => world.upstream.requests.at(-1)?.aborted).toBe(true)
    world.upstream.release()
  })
})

describe('guests', () => {
  const limited = useOwnWorld({ env: { GUEST_TURNS: '5' } })
  test('try a few turns a day, then are asked to sign in, and keep their conversations', async () => {
    const guest = limited.visitor()
    limited.upstream.script('scripted', { text: '好' })
    const { sess_id } = await guest.ask('一')
    for (const prompt of ['二', '三', '四', '五']) await guest.ask(prompt, { sess_id })
    const limit = await expectCallError(guest.ask('六', { sess_id }))
    expect([limit.status, limit.body.code]).toEqual([401, 'guest_limit'])
    expect(await getMessageLines(guest, sess_id)).toHaveLength(10)
    await guest.call('POST /auth/vcode', { body: { email: 'former@example.com' } })
    const code = await limited.getLoginCode('former@example.com')
    await guest.call('POST /login', { body: { email: 'former@example.com', code } })
    expect(await getMessageLines(guest, sess_id)).toHaveLength(10)
    expect(await getMessageLines(guest)).toHaveLength(10)
    await guest.ask('六', { sess_id })
    expect((await guest.call('GET /api/user/info', {})).balance).toBe(50)
  })

  test('may only use models that are marked for them', async () => {
    const error = await expectCallError(world.visitor().ask('x', { model: 'scripted-paid' }))
    expect([error.status, error.body.code]).toEqual([401, 'guest_model'])
  })

  test('share the limit of their address and that of the house, and a refused turn is not counted', async () => {
    const env = { GUEST_TURNS: '1', GUEST_TURNS_TOTAL: '6' }
    const lonely = await startWorld({ env })
    const ask = (address: string) => {
      const headers = { 'x-forwarded-for': address }
      return lonely.visitor().call('POST /api/chat/create', { body: { prompt: 'x' } }, { headers })
    }
    const askAll = async (addresses: string[]): Promise<string[]> => {
      const outcomes = await Promise.allSettled(addresses.map(ask))
      return outcomes.map((one) =>
        one.status === 'fulfilled' ? 'asked' : (one.reason as CallError).body.code,
      )
    }
    try {
      const network = Array.from({ length: 6 }, (_, index) => `2001:db8:0:1::${index}`)
      const outcomes = await askAll(network)
      expect(outcomes.filter((outcome) => outcome === 'asked')).toHaveLength(4)
      expect(outcomes.filter((outcome) => outcome === 'guest_limit')).toHaveLength(2)
      const { rows } = await lonely.db().execute(sql`SELECT sum(turns)::int AS turns FROM guest_turns`)
      expect(rows[0]).toEqual({ turns: 3 * 4 })
      const elsewhere = await askAll(['2001:db8:0:2::1', '192.0.2.1', '192.0.2.2'])
      expect(elsewhere.sort()).toEqual(['asked', 'asked', 'guest_budget'])
    } finally {
      await lonely.close()
    }
  })
})
