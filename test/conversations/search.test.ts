import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { indexOldMessages } from '#server/conversations/search/search.ts'
import type { Client } from '../world/client.ts'
import { signIn } from '../world/sign-in.ts'
import { useWorld } from '../world/use-world.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'

const world = useWorld()

/** Creates a conversation; returns its session. */
async function createConversation(client: Client, question: string, answer: string): Promise<string> {
  world.upstream.script('scripted', { text: answer, chars: 200 })
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask(question, { sess_id: session.id })
  return session.id
}

const search = async (client: Client, keywords: string, more: object = {}) =>
  client.call('GET /api/chat/sessions', { query: { keywords, ...more } })

/** Returns title and text around the words, with the match marked, of each result. */
const findMatches = async (client: Client, keywords: string): Promise<string[][]> =>
  (await search(client, keywords)).items.map(({ title, hit }) => [
    title,
    hit ? `${hit.role}: ${hit.before}[${hit.match}]${hit.after}` : '',
  ])

/** Creates a person with three conversations; the oldest first. */
async function createReader(): Promise<Client> {
  const client = await world.user()
  await createConversation(client, '活水从哪里来', '源头名叫“Qingquan 清泉”。')
  await createConversation(client, 'What is clear water?', '清水是没有杂质的水，折扣 100%，a_b。')
  await createConversation(
    client,
    '讲讲快速排序',
    `先选一个基准。\n\n${'再分成两半，各自排好。'.repeat(20)}最后𠮷祥如意。`,
  )
  return client
}

describe('a search', () => {
  test('finds Chinese words of one, two and more characters in questions and answers, newest first', async () => {
    const client = await createReader()
    expect(await findMatches(client, '清')).toEqual([
      ['What is clear water?', 'ai: [清]水是没有杂质的水，折扣 100%，a_b。'],
      ['活水从哪里来', 'ai: 源头名叫“Qingquan [清]泉”。'],
    ])
    expect(await findMatches(client, '清泉')).toEqual([['活水从哪里来', 'ai: 源头名叫“Qingquan [清泉]”。']])
    expect(await findMatches(client, '活水从')).toEqual([['活水从哪里来', 'human: [活水从]哪里来']])
    expect(await findMatches(client, '没有杂质的水')).toEqual([
      ['What is clear water?', 'ai: 清水是[没有杂质的水]，折扣 100%，a_b。'],
    ])
    expect(await findMatches(client, '源清')).toEqual([])
  })

  test('finds parts of Latin words in any case, and takes every character at its word', async () => {
    const client = await createReader()
    expect(await findMatches(client, 'QUAN')).toEqual([['活水从哪里来', 'ai: 源头名叫“Qing[quan] 清泉”。']])
    expect(await findMatches(client, 'clear')).toHaveLength(1)
    expect(await findMatches(client, 'raelc')).toEqual([])
    expect(await findMatches(client, '100%')).toHaveLength(1)
    expect(await findMatches(client, 'a_b')).toHaveLength(1)
    expect(await findMatches(client, '1_0%')).toEqual([])
    expect(await findMatches(client, 'a%b')).toEqual([])
    expect(await findMatches(client, '\\')).toEqual([])
  })

  test('wants every word of several, in any order', async () => {
    const client = await createReader()
    expect(await findMatches(client, '清泉　源头')).toEqual([
      ['活水从哪里来', 'ai: [源头]名叫“Qingquan 清泉”。'],
    ])
    expect(await findMatches(client, '清泉 排序')).toEqual([])
  })

  test('cuts the text around a hit, at whole characters', async () => {
    const client = await createReader()
    const [[, hit] = []] = await findMatches(client, '祥如意')
    expect(hit).toMatch(/^ai: ….{1,16}\[祥如意\]。$/u)
    expect(hit).toContain('𠮷')
    expect(await findMatches(client, '𠮷')).toHaveLength(1)
    expect((await search(client, '基准 排好')).items[0]!.hit?.after.length).toBeLessThan(70)
  })

  test('shows the newest message that has the words, and never an answer that was replaced', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, '第一问', '旧的说法。')
    world.upstream.script('scripted', { text: '新的说法。' })
    await client.ask('', { sess_id: sessId, regen: true })
    expect(await findMatches(client, '旧的')).toEqual([])
    expect(await findMatches(client, '说法')).toEqual([['第一问', 'ai: 新的[说法]。']])
    await client.ask('这种说法对吗', { sess_id: sessId })
    const { hit } = (await search(client, '说法')).items[0]!
    expect(hit?.role).toBe('ai')
    const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })
    expect(messages.at(-1)!.id).toBe(hit?.message_id)
  })

  test('follows a new title, and forgets what is deleted', async () => {
    const client = await world.user()
    const id = await createConversation(client, '甲问', '乙答')
    await client.call('PATCH /api/chat/session/{id}', { params: { id }, body: { title: '丙丁戊' } })
    expect(await findMatches(client, '丁')).toEqual([['丙丁戊', '']])
    expect(await findMatches(client, '甲')).toHaveLength(1)
    await client.call('DELETE /api/chat/messages', { query: { sess_id: id } })
    expect(await findMatches(client, '甲')).toEqual([])
    await client.call('DELETE /api/chat/session/{id}', { params: { id } })
    expect(await findMatches(client, '丁')).toEqual([])
  })

  test('is answered in pages, empty ones too', async () => {
    const client = await world.user()
    for (const nth of [1, 2, 3]) await createConversation(client, `同一个词 ${nth}`, '好')
    const first = await search(client, '同一个词', { size: 2 })
    expect([first.total, first.items.map(({ title }) => title)]).toEqual([3, ['同一个词 3', '同一个词 2']])
    const next = await client.fetch(first.next_url!)
    expect(await next.json()).toMatchObject({ total: 3, from: 3, to: 3, items: [{ title: '同一个词 1' }] })
    expect(await search(client, '同一个词', { size: 2, page: 9 })).toMatchObject({ total: 3, items: [] })
    expect((await search(client, '   ')).total).toBe(3)
  })

  test('never finds what is somebody else’s', async () => {
    const [one, other] = [await createReader(), await world.user()]
    await createConversation(other, '别人的问题', '好')
    expect(await findMatches(other, '清泉')).toEqual([])
    expect(await findMatches(world.visitor(), '清泉')).toEqual([])
    expect(await findMatches(one, '别人')).toEqual([])
  })

  test('still finds what a guest asked, after the guest has signed in', async () => {
    const guest = world.visitor()
    await createConversation(guest, '访客问渠水', '答案在此')
    expect(await findMatches(guest, '渠水')).toHaveLength(1)
    await guest.call('POST /auth/vcode', { body: { email: 'once-guest@example.com' } })
    const code = await world.getLoginCode('once-guest@example.com')
    await guest.call('POST /login', { body: { email: 'once-guest@example.com', code } })
    expect(await findMatches(guest, '渠水')).toHaveLength(1)
    expect(await findMatches(guest, '答案在')).toHaveLength(1)
  })

  test('finds what was written before there was a search, once the sweep has passed', async () => {
    const client = await world.user()
    await createConversation(client, '从前的问题', '从前的回答')
    await world.db().execute(sql`UPDATE chat_terms SET terms = NULL`)
    expect(await findMatches(client, '从前的回答')).toEqual([])
    await indexOldMessages(world.db())
    expect(await findMatches(client, '从前的回答')).toHaveLength(1)
  })
})

// The embedded database carries out one transaction at a time.
describe.each(process.env.DATABASE_URL ? ['PostgreSQL'] : [])('a search on %s', () => {
  test('finds an answer that ended while its guest signed in', async () => {
    const guest = world.visitor()
    world.upstream.script('scripted', { text: '独一无二的鹦鹉螺', stall: 1, chars: 4 })
    const { chat_message } = await guest.call('POST /api/chat/create', { body: { prompt: '贝壳' } })
    const { sess_id, chat_id } = chat_message
    const lock = await lockRows(
      world.db(),
      sql`SELECT 1 FROM chat_current WHERE sess_id = ${sess_id} FOR UPDATE`,
    )
    const signing = signIn(guest, 'shell@example.com', world.data_dir)
    await waitForWaiting(world.db(), 1)
    world.upstream.release()
    const getStatus = async () => {
      const { rows } = await world.db().execute<{ status: string }>(sql`
        SELECT status FROM chat_messages WHERE chat_id = ${chat_id} AND role = 'ai'`)
      return rows[0]!.status
    }
    await waitForWaiting(world.db(), 2, async () => (await getStatus()) === 'done')
    await lock.release()
    await signing
    await expect.poll(getStatus).toBe('done')
    expect(await findMatches(guest, '鹦鹉螺')).toHaveLength(1)
  })
})
