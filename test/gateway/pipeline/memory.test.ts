import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { parseStoredMessages } from '#server/gateway/pipeline/store.ts'
import { useWorld } from '../../world/use-world.ts'
import { createCaller, readError, readStream, useCaller, userMessages, waitForRuns } from '../caller.ts'

const world = useWorld()
const caller = useCaller(world)

type Sent = { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }

/** Returns the messages that the model was given last. */
const getUpstreamMessages = () => (world.upstream.requests.at(-1)!.body as { messages: Sent[] }).messages
const getUpstreamTexts = () => getUpstreamMessages().map(({ role, content }) => `${role}: ${String(content)}`)

/** Asks in a conversation and is answered with `text`. */
async function ask(sessId: string, content: string, text: string, by = caller): Promise<void> {
  world.upstream.script('scripted', { text })
  await by.complete({ model: 'scripted', messages: userMessages(content), sess_id: sessId })
}

describe('a conversation', () => {
  test('is remembered: each call brings only what is new', async () => {
    await ask('诗', '谁写的？', '朱熹')
    expect(getUpstreamTexts()).toEqual(['user: 谁写的？'])
    world.upstream.script('scripted', { text: '南宋', reasoning: '想' })
    await caller.stream({ model: 'scripted', messages: userMessages('哪个朝代？'), sess_id: '诗' })
    expect(getUpstreamTexts()).toEqual(['user: 谁写的？', 'assistant: 朱熹', 'user: 哪个朝代？'])
    await world.restart()
    await ask('诗', '还有呢？', '没有了')
    expect(getUpstreamTexts()).toEqual([
      'user: 谁写的？',
      'assistant: 朱熹',
      'user: 哪个朝代？',
      'assistant: 南宋',
      'user: 还有呢？',
    ])
    expect(world.upstream.requests.at(-1)!.body).not.toHaveProperty('sess_id')
  })

  test('is one of its key: another name, another key, another person know nothing of it', async () => {
    await ask('own', '我叫小明', '好')
    await ask('other', '我叫什么？', '不知道')
    expect(getUpstreamTexts()).toEqual(['user: 我叫什么？'])
    for (const by of [await createCaller(world, {}, caller.user), await createCaller(world)]) {
      await ask('own', '我叫什么？', '不知道', by)
      expect(getUpstreamTexts()).toEqual(['user: 我叫什么？'])
    }
    await caller.complete({ model: 'scripted', messages: userMessages('我叫什么？') })
    expect(getUpstreamTexts()).toEqual(['user: 我叫什么？'])
  })

  test('keeps the system message until a call brings another', async () => {
    world.upstream.script('scripted', { text: '好' })
    const system = (content: string) => ({ role: 'system', content })
    const call = (messages: object[]) => caller.complete({ model: 'scripted', messages, sess_id: 'system' })
    await call([system('说中文'), ...userMessages('一')])
    await call(userMessages('二'))
    expect(getUpstreamTexts()).toEqual(['system: 说中文', 'user: 一', 'assistant: 好', 'user: 二'])
    await call([system('说英文'), ...userMessages('三')])
    await call(userMessages('四'))
    expect(getUpstreamTexts()[0]).toBe('system: 说英文')
    expect(getUpstreamTexts().filter((line) => line.startsWith('system'))).toHaveLength(1)
    expect(getUpstreamTexts()).toHaveLength(8)
  })

  test('carries the round trip of a tool', async () => {
    const toolCalls = [{ id: 'call_1', name: 'weather', arguments: '{"city":"上海\\u0000"}' }]
    const tools = [{ type: 'function', function: { name: 'weather' } }]
    world.upstream.script('scripted', { tool_calls: toolCalls })
    const call = { model: 'scripted', tools, sess_id: 'tools' }
    await caller.complete({ ...call, messages: userMessages('天气？') })
    world.upstream.script('scripted', { text: '晴' })
    const result = { role: 'tool', tool_call_id: 'call_1', content: '25 度' }
    await caller.complete({ ...call, messages: [result] })
    expect(getUpstreamMessages()).toMatchObject([
      { role: 'user', content: '天气？' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_1', function: { arguments: '{"city":"上海\\u0000"}' } }],
      },
      result,
    ])
  })

  test('is read as earlier versions stored it', async () => {
    await ask('earlier', '一', '壹')
    const stored = [
      { role: 'user', content: '零', passed_on: { name: '小明' } },
      { role: 'assistant', content: '无' },
    ]
    await world.db().execute(sql`
      UPDATE gateway_turns SET messages = ${JSON.stringify(stored)}
      WHERE conversation_id = (SELECT id FROM gateway_conversations WHERE sess_id = 'earlier')`)
    await ask('earlier', '二', '贰')
    expect(getUpstreamMessages()).toMatchObject([
      { role: 'user', content: '零', name: '小明' },
      { role: 'assistant', content: '无' },
      { role: 'user', content: '二' },
    ])
    const blocks = [{ type: 'thinking', thinking: '想', signature: 'c2ln' }]
    const message = { role: 'assistant', content: '' }
    expect(parseStoredMessages(JSON.stringify([{ ...message, blocks }]))).toEqual([
      { ...message, provider_options: { anthropic: { blocks } } },
    ])
  })

  test('remembers that there was a picture, not its bytes', async () => {
    world.upstream.script('scripted', { text: '一只猫' })
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const address = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }
    const content = [{ type: 'text', text: '这是什么？' }, picture, address]
    await caller.complete({ model: 'scripted', messages: [{ role: 'user', content }], sess_id: 'picture' })
    expect(getUpstreamMessages()[0]!.content).toEqual(content)
    await ask('picture', '什么颜色？', '白')
    expect(getUpstreamMessages()[0]!.content).toEqual([content[0], { type: 'text', text: '[图片]' }, address])
  })

  test.each([
    ['one that breaks off', { text: '说到一半', cut: 2 }],
    ['one that fails', { status: 500 }],
  ])('does not remember a call without a whole answer: %s', async (name, script) => {
    await ask(name, '一', '壹')
    world.upstream.script('scripted', script)
    const failed = await caller.post({ model: 'scripted', messages: userMessages('二'), sess_id: name })
    expect(failed.ok).toBe(false)
    await ask(name, '三', '叁')
    expect(getUpstreamTexts()).toEqual(['user: 一', 'assistant: 壹', 'user: 三'])
  })

  test('does not remember a call whose caller left', async () => {
    await ask('left', '一', '壹')
    world.upstream.script('scripted', { text: '说到一半就走了', chars: 1, stall: 4 })
    const gone = new AbortController()
    const call = { model: 'scripted', messages: userMessages('二'), sess_id: 'left', stream: true }
    const reading = readStream(await caller.post(call, { signal: gone.signal }), () => gone.abort())
    await expect(reading).rejects.toThrow()
    await waitForRuns(world, caller)
    await ask('left', '三', '叁')
    expect(getUpstreamTexts()).toEqual(['user: 一', 'assistant: 壹', 'user: 三'])
  })

  test('takes one call at a time', async () => {
    world.upstream.script('scripted', { text: '慢慢说', chars: 1, stall: 2 })
    const call = { model: 'scripted', sess_id: 'busy' }
    const before = world.upstream.requests.length
    let refused = 0
    // The first calls count, too: the conversation does not exist yet.
    const posts = [1, 2, 3, 4].map(async (nth) => {
      const response = await caller.post({ ...call, messages: userMessages(`问题${nth}`) })
      if (!response.ok) expect(await readError(response)).toMatchObject({ status: 409, code: 'turn_running' })
      if (!response.ok) refused++
      return response.status
    })
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    // The answer must still be stalled: a call after its end is the next one.
    await expect.poll(() => refused).toBe(3)
    const busy = await caller.post({ ...call, messages: userMessages('问题5') })
    expect(await readError(busy)).toMatchObject({ status: 409, code: 'turn_running' })
    world.upstream.release()
    const statuses = await Promise.all(posts)
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 409, 409, 409])
    await ask('busy', '问题6', '答')
    expect(getUpstreamTexts()).toHaveLength(3)
    expect(getUpstreamTexts()[1]).toBe('assistant: 慢慢说')
  })

  test('goes on in the background, and once for an Idempotency-Key', async () => {
    world.upstream.script('scripted', { text: '壹' })
    const call = { model: 'scripted', sess_id: 'keyed', messages: userMessages('一') }
    const key = { headers: { 'Idempotency-Key': 'memory-1' } }
    await caller.complete(call, key)
    await caller.complete(call, key)
    await (await caller.post({ ...call, messages: userMessages('二'), background: true })).json()
    await waitForRuns(world, caller)
    await ask('keyed', '三', '叁')
    expect(getUpstreamTexts()).toEqual(['user: 一', 'assistant: 壹', 'user: 二', 'assistant: 壹', 'user: 三'])
  })

  test.each(['', 'x'.repeat(129), '\u0000', 'a\nb', 5])('has no such name: %j', async (sessId) => {
    const response = await caller.post({ model: 'scripted', messages: userMessages('?'), sess_id: sessId })
    expect(await readError(response)).toMatchObject({ status: 400, param: 'sess_id' })
  })
})

describe('what is remembered', () => {
  const turnsOf = async (sessId: string) => {
    const { rows } = await world.db().execute<{ messages: string }>(sql`
      SELECT t.messages FROM gateway_turns t JOIN gateway_conversations c ON c.id = t.conversation_id
      WHERE c.sess_id = ${sessId} AND c.key_id = ${caller.key_id} ORDER BY t.id`)
    return rows.map(({ messages }) => (JSON.parse(messages) as Sent[])[0]!.content)
  }

  test('is shown to the model as far as it fits: the latest whole turns', async () => {
    // 64,000 tokens of context; a turn has about 20,000.
    const long = '字'.repeat(32_000)
    for (const nth of [1, 2, 3, 4]) await ask('long', `${nth}${long}`, '好')
    expect(getUpstreamMessages().map(({ content }) => String(content).slice(0, 1))).toEqual(['3', '好', '4'])
    await ask('long', '短', '好')
    expect(getUpstreamMessages().map(({ content }) => String(content).slice(0, 1))).toEqual([
      '3',
      '好',
      '4',
      '好',
      '短',
    ])
  })

  test('keeps results of tools with the turn that called them', async () => {
    const long = '字'.repeat(50_000)
    const call = { model: 'scripted', sess_id: 'cut', tools: [{ type: 'function', function: { name: 'f' } }] }
    world.upstream.script('scripted', { tool_calls: [{ id: 'call_1', name: 'f', arguments: '{}' }] })
    await caller.complete({ ...call, messages: userMessages('问') })
    world.upstream.script('scripted', { text: '答' })
    await caller.complete({
      ...call,
      messages: [{ role: 'tool', tool_call_id: 'call_1', content: `果${long}` }],
    })
    // Together they fit, then no more.
    await ask('cut', '一', '壹')
    expect(getUpstreamMessages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    await ask('cut', `二${long}`, '贰')
    expect(getUpstreamMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('is bounded in turns', async () => {
    await ask('many', '头', '好')
    await ask('many', '尾', '好')
    // 98 turns between these two: ids grow with the time.
    await world.db().execute(sql`
      INSERT INTO gateway_turns (id, conversation_id, messages, chars)
      SELECT overlay(id::text PLACING lpad(n::text, 12, '0') FROM 25)::uuid, conversation_id,
        replace(messages, '尾', n::text), chars
      FROM gateway_turns, generate_series(1, 98) n WHERE messages LIKE '%尾%' AND conversation_id IN (
        SELECT id FROM gateway_conversations WHERE sess_id = 'many' AND key_id = ${caller.key_id})`)
    expect(await turnsOf('many')).toHaveLength(100)
    for (const text of ['甲', '乙', '丙']) await ask('many', text, '好')
    const kept = await turnsOf('many')
    expect(kept).toHaveLength(100)
    expect([kept[0], kept[96], kept.at(-1)]).toEqual(['3', '尾', '丙'])
  })

  test('is bounded in characters, but for its newest turn', async () => {
    for (const nth of [1, 2, 3]) await ask('large', `${nth}${'a'.repeat(400_000)}`, '好')
    expect((await turnsOf('large')).map((text) => String(text)[0])).toEqual(['2', '3'])
  })

  test('is forgotten after 7 days', async () => {
    await ask('old', '一', '壹')
    await ask('old', '二', '贰')
    const age = (first: string, interval: string) =>
      world.db().execute(sql`
        UPDATE gateway_turns SET created_at = now() - ${interval}::interval
        WHERE messages LIKE ${`[{"role":"user","content":"${first}"}%`} AND conversation_id IN (
          SELECT id FROM gateway_conversations WHERE sess_id = 'old')`)
    await age('一', '7 days 1 second')
    await age('二', '6 days 23 hours')
    await ask('old', '三', '叁')
    expect(getUpstreamTexts()).toEqual(['user: 二', 'assistant: 贰', 'user: 三'])
    await sweepGateway(world.db())
    expect(await turnsOf('old')).toEqual(['二', '三'])
    await world.db().execute(sql`
      UPDATE gateway_conversations SET updated_at = now() - interval '7 days 1 second' WHERE sess_id = 'old'`)
    await sweepGateway(world.db())
    expect(await turnsOf('old')).toEqual([])
    await ask('old', '四', '肆')
    expect(getUpstreamTexts()).toEqual(['user: 四'])
  })
})
