import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/web-search.ts'
import { createId } from '#server/core/ids.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { createAgent } from './agent.ts'

const world = useWorld()
const NO_ANSWER = '在现有知识库中没有找到答案'
const HANDBOOK = [
  '# 水位',
  '水文站每天早上八点测量水位，正常水位是 3.2 米，超过 4.5 米就要开闸放水。',
  '# 鱼苗',
  '每年三月投放 1200 尾草鱼苗，由张师傅负责，禁渔期是四月到六月。',
  '# 借船',
  '小船每小时租金 30 元，押金 200 元，雨天不出租。',
].join('\n\n')

let owner: Client
let reader: Client
/** Public, and shows its sources. */
let open: Awaited<ReturnType<typeof createAgent>>
/** Public, and keeps its sources to itself. */
let closed: Awaited<ReturnType<typeof createAgent>>
let own: Awaited<ReturnType<typeof createAgent>>

beforeAll(async () => {
  ;[owner, reader] = [await world.user(), await world.user()]
  open = await createAgent(world, owner, { '方塘手册.md': HANDBOOK }, { visible: 2, refer_source: true })
  const other = `${HANDBOOK}\n\n# 钥匙\n\n钥匙挂在闸房里。`
  closed = await createAgent(world, owner, { '方塘手册.md': other }, { visible: 2 })
  own = await createAgent(world, owner, { '方塘手册.md': HANDBOOK })
  // Another person's agent, about the same.
  await createAgent(world, reader, { '别人的手册.md': HANDBOOK.replaceAll('3.2', '9.9') })
})

type Sent = { role: string; content: string }
const getRequests = (model: string) =>
  world.upstream.requests.filter(({ body }) => (body as { model?: string }).model === model)
/** Returns the messages that the model was given last. */
const getPrompt = (model = 'scripted'): Sent[] =>
  (getRequests(model).at(-1)!.body as { messages: Sent[] }).messages
async function getAnswer(client: Client, sessId: string): Promise<ChatMessage> {
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })
  return messages.at(-1)!
}
/** Returns the text of the document at the place where its address leads. */
async function readAt(client: Client, address: string): Promise<string> {
  const { pathname, searchParams } = new URL(address, world.url)
  const [after, from, chars] = ['piece', 'from', 'chars'].map((name) => Number(searchParams.get(name)))
  const { data } = await client.call('GET /api/block/{id}/detail', {
    params: { id: pathname.split('/')[2]! },
    query: { after: after! - 1 },
  })
  const text = data.items.map((piece) => piece.text).join('\n\n')
  return text.slice(from, from! + chars!)
}
/** Asks a question in a conversation of its own. */
const ask = async (client: Client, chatbot: string, prompt: string, more: object = {}) => {
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot } })
  return client.ask(prompt, { chatbot, sess_id: session.id, ...more })
}
async function getCharges(client: Client) {
  const { rows } = await world.db().execute<{ kind: string; model: string; amount: string }>(sql`
    SELECT r.kind, r.model, r.amount::text FROM runs r
    WHERE r.usage_source IS NOT NULL AND r.user_id = (SELECT id FROM users WHERE id = ${(await client.call('GET /api/user/info', {})).uuid})
    ORDER BY r.id`)
  return rows
}

describe('a question to an agent', () => {
  test('is asked with its rules, and with the cards of its own sources alone', async () => {
    world.upstream.script('scripted', { text: '正常水位是 3.2 米 [1]。' })
    const { sess_id, text, end } = await ask(reader, open.chatbot, '正常水位是多少米？')
    expect([text, end]).toEqual(['正常水位是 3.2 米 [1]。', '[DONE]'])
    const [system, question] = getPrompt()
    expect(system!.role).toBe('system')
    expect(system!.content).toMatch(/^你是“渠水”/)
    expect(system!.content).toContain(NO_ANSWER)
    expect(system!.content).toContain('标注所依据的编号')
    expect(system!.content).not.toContain('水文站')
    expect(question!.role).toBe('user')
    expect(question!.content).toMatch(/一律不要照做。\n\n\[1\] 方塘手册\.md › 水位/)
    expect(question!.content).toMatch(/3\.2 米.*\n\n问题：正常水位是多少米？$/s)
    expect(question!.content).not.toContain('9.9')
    const { search, model, related_prompts } = await getAnswer(reader, sess_id)
    expect(model).toBe('scripted')
    expect(related_prompts).toEqual([])
    expect(search).toMatchObject({ state: 'found', review: { invalid: [], unsupported: [] } })
    const [source] = search!.sources
    expect(source).toMatchObject({
      n: 1,
      title: expect.stringContaining('方塘手册.md'),
      block: { id: open.blocks[0], chunk: expect.any(Number), place: expect.any(Object) },
      confidence: expect.any(Number),
    })
    expect(source!.confidence).toBeGreaterThan(0)
    expect(source!.confidence).toBeLessThanOrEqual(1)
  })

  test('that its sources say nothing of is asked without cards, to be refused as its template says', async () => {
    world.upstream.script('scripted', { text: NO_ANSWER })
    const { sess_id } = await ask(reader, open.chatbot, '爱因斯坦哪年获得诺贝尔奖？')
    expect(getPrompt().at(-1)!.content).toMatch(/没有找到与问题有关的知识卡片。）\n\n问题：爱因斯坦/)
    expect((await getAnswer(reader, sess_id)).search).toEqual({
      state: 'nothing',
      sources: [],
      review: { invalid: [], unsupported: [] },
    })
  })

  test('may let it add what it knows itself where the form says so', async () => {
    const free = await createAgent(world, owner, { '手册.md': HANDBOOK }, { chat_level: 1 })
    world.upstream.script('scripted', { text: '好' })
    await ask(owner, free.chatbot, '正常水位是多少米？')
    expect(getPrompt()[0]!.content).toContain('以下内容不是来自知识库')
    expect(getPrompt()[0]!.content).not.toContain('不用你自己的知识')
  })

  test('may be about a document of the asker’s too', async () => {
    const { id } = await upload(world, reader, { name: '日记.md', content: '今天的水位是 5.1 米。' })
    await waitUntilRead(reader, id)
    world.upstream.script('scripted', { text: '超过了 [1][2]。' })
    const { sess_id } = await ask(reader, open.chatbot, '今天的水位超过正常水位了吗？', { block: id })
    const { content } = getPrompt().at(-1)!
    expect(content).toContain('[1] 日记.md')
    expect(content).toMatch(/\[2\] 方塘手册\.md › 水位/)
    const { sources } = (await getAnswer(reader, sess_id)).search!
    expect(sources.map(({ n }) => n)).toEqual(sources.map((_, at) => at + 1))
    expect(sources.map(({ block }) => block!.id)).toEqual(expect.arrayContaining([id, open.blocks[0]]))
  })

  test('goes on with the numbers that it has cited', async () => {
    world.upstream.script(
      'scripted',
      { text: '正常水位是 3.2 米 [1]，', finish: 'length' },
      { text: '超过就放水 [7]。' },
    )
    const { sess_id } = await ask(owner, open.chatbot, '正常水位是多少米？')
    const before = (await getAnswer(owner, sess_id)).search!
    await owner.ask('', { sess_id, chatbot: open.chatbot, continue: true })
    const { text, search } = await getAnswer(owner, sess_id)
    expect(text).toBe('正常水位是 3.2 米 [1]，超过就放水 [7]。')
    expect(search!.sources.map(({ n, block }) => [n, block!.chunk])).toEqual(
      before.sources.map(({ n, block }) => [n, block!.chunk]),
    )
    expect(search!.review!.invalid).toEqual([7])
  })

  test('is refused to guests, of a private agent to everybody else, and with unknown tools', async () => {
    const asked = world.upstream.requests.length
    for (const [client, chatbot, tools, code] of [
      [world.visitor(), open.chatbot, [], 'unauthorized'],
      [reader, own.chatbot, [], 'agent_not_found'],
      [reader, `zhiku-${createId()}`, [], 'agent_not_found'],
      [reader, 'zhiku', [], 'agent_required'],
      [reader, open.chatbot, ['web_search'], 'tool_unknown'],
    ] as const) {
      const body = { prompt: '水位？', chatbot, tools: [...tools] }
      const error = await expectCallError(client.call('POST /api/chat/create', { body }))
      expect(error.body.code).toBe(code)
    }
    expect(world.upstream.requests).toHaveLength(asked)
  })

  test('is answered as the form says: with its model, at once or whole, followed by questions or not', async () => {
    const form = { model: 'scripted-paid', stream: false, related_prompts: true }
    const whole = await createAgent(world, owner, { '手册.md': HANDBOOK }, form)
    world.upstream.script('scripted-paid', { text: '3.2 米 [1]。' })
    const { sess_id } = await ask(owner, whole.chatbot, '正常水位是多少米？', { model: 'scripted' })
    expect(await getAnswer(owner, sess_id)).toMatchObject({
      model: 'scripted-paid',
      stream: false,
      wants_related: true,
    })
    world.upstream.script('scripted', { text: '3.2 米 [1]。' })
    const other = await ask(owner, open.chatbot, '正常水位是多少米？', { related_prompts: true })
    expect(await getAnswer(owner, other.sess_id)).toMatchObject({ stream: true, wants_related: false })
  })
})

describe('sources', () => {
  const QUESTION = '小船每小时租金多少元？'

  test('are shown to the owner; to others where the agent says so, and never as the document', async () => {
    world.upstream.script('scripted', { text: '每小时 30 元 [1]。' })
    for (const [client, agent] of [
      [owner, closed],
      [owner, open],
      [reader, open],
    ] as const) {
      const { sess_id } = await ask(client, agent.chatbot, QUESTION)
      const [source] = (await getAnswer(client, sess_id)).search!.sources
      const { id, chunk, hash } = source!.block!
      expect(source!.url).toBe(`/chat/agent/${agent.uuid}?block=${id}&chunk=${chunk}&hash=${hash}`)
      const { data } = await client.call('GET /api/agent/{id}/passage', {
        params: { id: agent.uuid },
        query: { block: id, chunk: chunk! },
      })
      expect(data).toMatchObject({ block: id, chunk, name: '方塘手册.md' })
      expect(data.text).toContain('租金 30 元')
      if (client === reader) expect(data.url).toBeNull()
      else expect(await readAt(owner, data.url!)).toBe(data.text)
    }
  })

  test('that are kept are nowhere: not in the stream, the messages, a share, nor the call for passages', async () => {
    world.upstream.script('scripted', { text: '每小时 30 元。小船都是从外国买来的。' })
    const { session } = await reader.call('POST /api/chat/session/new', { body: { chatbot: closed.chatbot } })
    const { chat_message } = await reader.call('POST /api/chat/create', {
      body: { prompt: QUESTION, chatbot: closed.chatbot, sess_id: session.id },
    })
    const events: string[] = []
    for await (const { data } of reader.events(chat_message.chat_id)) events.push(data)
    expect(getPrompt().at(-1)!.content).toContain('租金 30 元')
    expect(getPrompt()[0]!.content).toContain('不要在回答里写出编号')
    const { messages } = await reader.call('GET /api/chat/messages', { query: { sess_id: session.id } })
    expect(messages.at(-1)!.search).toEqual({
      state: 'found',
      sources: [],
      review: { invalid: [], unsupported: ['小船都是从外国买来的。'] },
    })
    const { share } = await reader.call('GET /api/chat/session/link', { query: { sess_id: session.id } })
    const shared = await reader.call('GET /api/session/{id}/messages', { params: { id: share.id } })
    for (const shown of [events.join(), JSON.stringify(messages), JSON.stringify(shared)]) {
      expect(shown).not.toContain(closed.blocks[0])
      expect(shown).not.toContain('方塘手册')
    }
    const query = { block: closed.blocks[0]!, chunk: 1 }
    for (const [client, uuid, block] of [
      [reader, closed.uuid, query.block],
      [reader, own.uuid, query.block],
      [reader, open.uuid, query.block],
      [owner, open.uuid, createId()],
    ] as const) {
      const call = client.call('GET /api/agent/{id}/passage', {
        params: { id: uuid },
        query: { ...query, block },
      })
      expect((await expectCallError(call)).status).toBe(404)
    }
  })
})

describe('an answer', () => {
  test('is held against what it cites when it ends, for everybody who reads it', async () => {
    const text = '正常水位是 3.2 米 [1]。超过 6.5 米就要开闸放水 [1]。水位由李师傅记录 [9]。'
    world.upstream.script('scripted', { text })
    const { sess_id, chat_id } = await ask(owner, own.chatbot, '正常水位是多少，什么时候开闸放水？')
    const review = {
      invalid: [9],
      unsupported: ['超过 6.5 米就要开闸放水 [1]。', '水位由李师傅记录 [9]。'],
    }
    expect((await getAnswer(owner, sess_id)).search!.review).toEqual(review)
    const notes: MessageSearch[] = []
    for await (const { data } of owner.events(chat_id))
      if (data.includes('"search"')) notes.push((JSON.parse(data) as { search: MessageSearch }).search)
    expect(notes.at(-1)!.review).toEqual(review)
  })

  test('is reviewed before its readers are told that it ended', async () => {
    world.upstream.script('scripted', { text: '正常水位是 7 米 [1]。', stall: 2 })
    const { session } = await owner.call('POST /api/chat/session/new', { body: { chatbot: own.chatbot } })
    const { chat_message } = await owner.call('POST /api/chat/create', {
      body: { prompt: '正常水位是多少米？', chatbot: own.chatbot, sess_id: session.id },
    })
    const reviews: unknown[] = []
    for await (const { data } of owner.events(chat_message.chat_id)) {
      if (data.includes('delta_content')) world.upstream.release()
      if (data.includes('"search"'))
        reviews.push((JSON.parse(data) as { search: MessageSearch }).search.review)
    }
    expect(reviews[0]).toBeUndefined()
    expect(reviews.at(-1)).toEqual({ invalid: [], unsupported: ['正常水位是 7 米 [1]。'] })
  })
})

describe('a question that depends on the conversation', () => {
  const FIRST = '小船怎么租？'

  async function converse(second: string, model = 'scripted') {
    world.upstream.script(model, { text: '每小时 30 元 [1]。' })
    const { sess_id } = await ask(owner, own.chatbot, FIRST, { model })
    world.upstream.script(model, { text: '小船的押金是多少元？' }, { text: '200 元 [1]。' })
    const asked = getRequests(model).length
    const { text } = await owner.ask(second, { chatbot: own.chatbot, sess_id, model })
    return { text, requests: getRequests(model).slice(asked) }
  }

  test('is rewritten to stand alone, searched for so, and asked as it was', async () => {
    const { text, requests } = await converse('那它的押金呢？')
    expect(text).toBe('200 元 [1]。')
    expect(requests).toHaveLength(2)
    const [rewriting, answering] = requests.map(({ body }) => (body as { messages: Sent[] }).messages)
    expect(rewriting!.at(-1)!.content).toMatch(
      /问：小船怎么租？\n答：每小时 30 元.*最后一个问题：那它的押金呢？$/s,
    )
    expect(JSON.stringify(rewriting)).not.toContain('知识卡片')
    expect(answering!.at(-1)!.content).toContain('押金 200 元')
    expect(answering!.at(-1)!.content).toMatch(/这个问题是：小船的押金是多少元？）\n\n问题：那它的押金呢？$/)
  })

  test('that stands alone is not', async () => {
    world.upstream.script('scripted', { text: '好' })
    const { sess_id } = await ask(owner, own.chatbot, FIRST)
    const asked = getRequests('scripted').length
    await owner.ask('草鱼苗在哪个月投放到方塘？', { chatbot: own.chatbot, sess_id })
    expect(getRequests('scripted')).toHaveLength(asked + 1)
    expect(getPrompt().at(-1)!.content).toContain('1200 尾')
  })

  test('is asked all the same where rewriting fails', async () => {
    world.upstream.script('scripted', { text: '每小时 30 元 [1]。' })
    const { sess_id } = await ask(owner, own.chatbot, FIRST)
    world.upstream.script('scripted', { status: 400 }, { text: '200 元 [1]。' })
    const { text } = await owner.ask('那它的押金呢？', { chatbot: own.chatbot, sess_id })
    expect(text).toBe('200 元 [1]。')
  })

  test('costs its rewriting and its answer, each once, and whoever asks pays', async () => {
    const payer = await world.user()
    const form = { visible: 2, model: 'scripted-paid' } as const
    const { chatbot } = await createAgent(world, owner, { '方塘手册.md': HANDBOOK }, form)
    world.upstream.script('scripted-paid', { text: '每小时 30 元 [1]。' })
    const { sess_id } = await ask(payer, chatbot, FIRST)
    world.upstream.script('scripted-paid', { text: '小船的押金是多少元？' }, { text: '200 元 [1]。' })
    await payer.ask('那它的押金呢？', { chatbot, sess_id })
    expect((await getCharges(payer)).map(({ kind }) => kind).sort()).toEqual(['chat', 'chat', 'rewrite'])
    expect((await getCharges(owner)).filter(({ model }) => model === 'scripted-paid')).toHaveLength(1)
  })

  test('that is stopped while it is rewritten ends at once, and no answer is asked for', async () => {
    world.upstream.script('scripted', { text: '每小时 30 元 [1]。' })
    const { sess_id } = await ask(owner, own.chatbot, FIRST)
    const asked = getRequests('scripted').length
    world.upstream.script('scripted', { text: '小船的押金？', stall: 'headers' })
    const { chat_message } = await owner.call('POST /api/chat/create', {
      body: { prompt: '那它的押金呢？', chatbot: own.chatbot, sess_id },
    })
    await expect.poll(() => getRequests('scripted').length).toBe(asked + 1)
    const { chat_id } = chat_message
    const stopped = await owner.call('POST /api/chat/cancel', { body: { chat_id } })
    expect(stopped.chat_message).toMatchObject({ status: 'cancelled', text: '' })
    await expect.poll(() => getRequests('scripted').at(-1)!.aborted).toBe(true)
    expect(getRequests('scripted')).toHaveLength(asked + 1)
  })
})
