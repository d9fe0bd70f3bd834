import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import { PLACEHOLDER } from '#contract/chat.ts'
import { errors } from '#contract/errors.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { readAnswer } from './read-answer.ts'

const world = useOwnWorld()

const PAID = 'scripted-paid'
const THOUGHT = '先看题目，再想源头在哪里😀。'.repeat(6)

const getLastMessage = async (client: Client): Promise<ChatMessage> =>
  (await client.call('GET /api/chat/messages', {})).messages.at(-1)!
const getBalance = async (client: Client): Promise<number> =>
  (await client.call('GET /api/user/info', {})).balance
const createUsage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

describe('an answer that goes on', () => {
  test('is the same message with more text; each part is charged by itself', async () => {
    const client = await world.user()
    const start = await getBalance(client)
    world.upstream.script(
      PAID,
      { text: '前半，', finish: 'length', usage: createUsage(1_000, 4_000) },
      { text: '后半。', usage: createUsage(2_000, 8_000) },
    )
    const { chat_id, sess_id } = await client.ask('写长一点', { model: PAID })
    const first = await getLastMessage(client)
    expect(first).toMatchObject({ text: '前半，', status: 'done', continuable: true })
    expect(first.figures).toMatchObject({ platform: 'scripted', input_tokens: 1_000, amount: 1 })

    const more = await client.ask('', { sess_id, chat_id, model: PAID, continue: true })
    expect(more).toMatchObject({ chat_id, text: '前半，后半。', end: '[DONE]' })
    const { body } = world.upstream.requests.at(-1)!
    expect((body as { messages: object[] }).messages).toEqual([
      { role: 'user', content: '写长一点' },
      { role: 'assistant', content: '前半，' },
      { role: 'user', content: expect.stringMatching(/接着写/) },
    ])
    const whole = await getLastMessage(client)
    expect(whole).toMatchObject({
      id: first.id,
      text: '前半，后半。',
      continuable: false,
      versions: [first.id],
    })
    expect(whole.figures).toMatchObject({ input_tokens: 3_000, output_tokens: 12_000, amount: 3 })
    expect(await getBalance(client)).toBe(start - 3)
    await client.ask('然后呢', { sess_id })
    const { messages } = world.upstream.requests.at(-1)!.body as { messages: object[] }
    expect(messages[1]).toEqual({ role: 'assistant', content: '前半，后半。' })
  })

  test('after it was stopped, from any position of the whole', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '甲😀乙丙丁戊', chars: 2, stall: 3 })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '数' } })
    const { chat_id } = chat_message
    await client.events(chat_id).next()
    const stopped = await client.call('POST /api/chat/cancel', { body: { chat_id } })
    world.upstream.release()
    const begun = stopped.chat_message.text
    expect(stopped.chat_message.continuable).toBe(true)
    expect('甲😀乙丙丁戊'.startsWith(begun)).toBe(true)

    world.upstream.script('scripted', { text: '己庚辛壬癸', chars: 1, every_ms: 20 })
    await client.call('POST /api/chat/create', { body: { chat_id, continue: true } })
    const whole = begun + '己庚辛壬癸'
    const live = await Promise.all([readAnswer(client, chat_id), readAnswer(client, chat_id)])
    expect(live.map(({ text }) => text)).toEqual([whole, whole])
    const run = live[0].ids[0]!.split(':')[0]!
    for (let at = 0; at <= whole.length; at++) {
      expect((await readAnswer(client, chat_id, `${run}:${at}`)).text).toBe(whole.slice(at))
    }
    expect(await getLastMessage(client)).toMatchObject({ text: whole, status: 'done', error: null })
  })

  test('shows what it has received before while it waits for more', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '有头', finish: 'length' }, { text: '有尾', stall: 'headers' })
    const { chat_id } = await client.ask('说')
    const { chat_message } = await client.call('POST /api/chat/create', { body: { chat_id, continue: true } })
    expect(chat_message).toMatchObject({ text: '有头', status: 'typing' })
    expect(await getMessageLines(client)).toEqual(['human: 说', 'ai: 有头'])
    const early = await readAnswer(client, chat_id, '', 1)
    expect(early.text).toBe('有头')
    world.upstream.release()
    expect((await readAnswer(client, chat_id, early.ids[0])).text).toBe('有尾')
  })

  test('and fails keeps what it had, and costs nothing more', async () => {
    const client = await world.user()
    world.upstream.script(
      PAID,
      { text: '有头', finish: 'length', usage: createUsage(1_000, 4_000) },
      { status: 500 },
    )
    const { chat_id } = await client.ask('说', { model: PAID })
    const before = await getBalance(client)
    const { end } = await client.ask('', { chat_id, model: PAID, continue: true })
    expect(end).toContain('upstream_failed')
    expect(await getBalance(client)).toBe(before)
    const kept = await getLastMessage(client)
    expect(kept).toMatchObject({ text: '有头', status: 'failed', continuable: true })
    expect(kept.figures).toMatchObject({ input_tokens: 1_000, amount: 1 })
  })

  test('that fails before its first word reads as the server’s message, which no model and no search is given', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { status: 500 }, { text: '好' })
    const failed = await client.ask('一')
    const error = errors.upstream_failed.message
    const query = { chat_id: failed.chat_id }
    const { chat_message } = await client.call('POST /api/chat/completions', { query })
    expect(chat_message).toMatchObject({ status: 'failed', text: error, error, continuable: false })
    expect(await getMessageLines(client)).toEqual(['human: 一', `ai: ${error}`])
    await client.ask('二')
    expect(JSON.stringify(world.upstream.requests.at(-1)!.body)).not.toContain(error)
    const sessions = await client.call('GET /api/chat/sessions', { query: { keywords: error } })
    expect(sessions.total).toBe(0)
    const { share } = await client.call('GET /api/chat/session/link', {})
    const shared = await client.call('GET /api/session/{id}/messages', { params: { id: share.id } })
    expect(shared.messages.map(({ text }) => text)).toEqual(['一', '二', '好'])
    const archive = await client.fetch('/api/user/account/export')
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()))
    const conversation = JSON.parse(strFromU8(files[`conversations/${failed.sess_id}.json`]!))
    expect(conversation.messages[1]).toMatchObject({ text: '', error })
  })

  test('is refused where there is nothing to go on with', async () => {
    const client = await world.user()
    world.upstream.script(
      'scripted',
      { text: '完整' },
      { status: 500 },
      { text: '半', finish: 'length' },
      { text: '好' },
    )
    const whole = await client.ask('一')
    const again = (chatId: string) => expectCallError(client.ask('', { chat_id: chatId, continue: true }))
    expect((await again(whole.chat_id)).body).toMatchObject({ code: 'not_continuable' })
    const failed = await client.ask('二')
    expect((await again(failed.chat_id)).status).toBe(409)
    const cut = await client.ask('三')
    await client.ask('四')
    expect((await again(cut.chat_id)).body.code).toBe('not_continuable')
  })
})

test('who stops again and again before anything comes is told to wait', async () => {
  const client = await world.user()
  const create = () => client.call('POST /api/chat/create', { body: { prompt: '?', model: PAID } })
  world.upstream.script(PAID, { text: '好', stall: 'headers' })
  for (let nth = 0; nth < 30; nth++) {
    const before = world.upstream.requests.length
    const { chat_message } = await create()
    await expect.poll(() => world.upstream.requests.length, { interval: 2 }).toBe(before + 1)
    await client.call('POST /api/chat/cancel', { body: { chat_id: chat_message.chat_id } })
  }
  expect(await expectCallError(create())).toMatchObject({ status: 429 })
  world.upstream.script(PAID, { text: '好' })
  expect(await (await world.user()).ask('?', { model: PAID })).toBeDefined()
})

describe('reasoning', () => {
  test('streams before the text, is stored with it, and can be read from any event on', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { reasoning: THOUGHT, text: '在方塘。', chars: 2, every_ms: 8 })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '源头？' } })
    const { chat_id } = chat_message
    const [one, two] = await Promise.all([readAnswer(client, chat_id), readAnswer(client, chat_id)])
    for (const received of [one, two])
      expect(received).toMatchObject({ reasoning: THOUGHT, text: '在方塘。' })
    const kinds = one.events.map((event) => ('delta_reasoning' in event ? 'r' : 't')).join('')
    expect(kinds).toMatch(/^r{2,}t+$/)
    const stored = await getLastMessage(client)
    expect(stored).toMatchObject({ reasoning: THOUGHT, text: '在方塘。' })
    const told = one.events.findLast((event) => 'delta_reasoning' in event)
    expect(stored.reasoning_ms).toBeGreaterThanOrEqual(told!.reasoning_ms!)

    let [reasoning, text] = ['', '']
    for (const [nth, event] of one.events.entries()) {
      if ('delta_reasoning' in event) reasoning += event.delta_reasoning
      if ('delta_content' in event) text += event.delta_content
      const rest = await readAnswer(client, chat_id, one.ids[nth])
      expect([reasoning + rest.reasoning, text + rest.text]).toEqual([THOUGHT, '在方塘。'])
    }
  })

  test('a reader that is cut off again and again receives all of it once', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { reasoning: THOUGHT, text: '答'.repeat(40), chars: 3, every_ms: 8 })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    let [reasoning, text, id] = ['', '', '']
    while (text.length < 40) {
      const received = await readAnswer(client, chat_message.chat_id, id, 1)
      reasoning += received.reasoning
      text += received.text
      id = received.ids.at(-1) ?? id
    }
    expect([reasoning, text]).toEqual([THOUGHT, '答'.repeat(40)])
  })

  test('is seen by who comes while it thinks; stopped there, it is kept and paid', async () => {
    const client = await world.user()
    const before = await getBalance(client)
    world.upstream.script(PAID, { reasoning: THOUGHT, text: '好', chars: 10, stall: 4 })
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: 'x', model: PAID },
    })
    const { chat_id } = chat_message
    await readAnswer(client, chat_id, '', 1)
    await expect.poll(async () => (await getLastMessage(client)).reasoning).toMatch(/^先看题目/)
    expect((await getLastMessage(client)).text).toBe(PLACEHOLDER)
    const stopped = await client.call('POST /api/chat/cancel', { body: { chat_id } })
    world.upstream.release()
    expect(stopped.chat_message).toMatchObject({ text: '', status: 'cancelled', continuable: false })
    expect(THOUGHT.startsWith(stopped.chat_message.reasoning)).toBe(true)
    expect(stopped.chat_message.reasoning.length).toBeGreaterThan(0)
    expect(await getBalance(client)).toBeLessThan(before)
  })

  test('survives a restart of the server in the middle of it', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { reasoning: THOUGHT, text: '好', chars: 10, stall: 4 })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const { reasoning } = await readAnswer(client, chat_message.chat_id, '', 1)
    await world.restart()
    world.upstream.release()
    const kept = await getLastMessage(client)
    expect(kept).toMatchObject({ status: 'interrupted', text: kept.error })
    expect(kept.reasoning.startsWith(reasoning)).toBe(true)
  })

  test('holds no character that the database cannot, nor half of one', async () => {
    const client = await world.user()
    const piece = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`
    const raw = [
      piece({ reasoning_content: '想\ud83d' }),
      piece({ reasoning_content: '\ude00\u0000了' }),
      piece({ content: '好' }),
      'data: [DONE]\n\n',
    ]
    world.upstream.script('scripted', { raw })
    await client.ask('x')
    expect(await getLastMessage(client)).toMatchObject({ reasoning: '想😀了', text: '好' })
  })
})

describe('the figures of an answer', () => {
  test('stand beside it in the list, and agree with how it is explained', async () => {
    const client = await world.user()
    world.upstream.script('twofold-cheap', { status: 500 })
    world.upstream.script('twofold-dear', { text: '值', usage: createUsage(500, 500) })
    const { chat_id } = await client.ask('值多少', { model: 'twofold' })
    const { figures } = await getLastMessage(client)
    expect(figures).toEqual({
      platform: 'second',
      first_text_ms: expect.any(Number),
      duration_ms: expect.any(Number),
      input_tokens: 500,
      output_tokens: 500,
      amount: 2,
    })
    const { route } = await client.call('GET /api/chat/explain', { query: { chat_id } })
    expect(route.bill).toMatchObject({ amount: 2, input_tokens: 500, output_tokens: 500 })
    expect(route.platform).toBe(figures!.platform)
  })

  test('are none of one that was not charged', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { status: 500 })
    await client.ask('x')
    expect((await getLastMessage(client)).figures).toBeNull()
  })
})

describe('questions that could follow', () => {
  const PROMPTS = ['源头是什么？', '活水从哪来？', '还有哪些诗？']
  const append = (client: Client, more = {}) =>
    client.call('POST /api/chat/prompts/append', { body: { model: PAID, ...more } })

  test('are made once, stay with the answer, and are charged to who asked', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '问渠那得清如许' })
    await client.ask('朱熹写过什么？', { related_prompts: true, quick_action: 'explain' })
    expect(await getLastMessage(client)).toMatchObject({
      wants_related: true,
      related_prompts: [],
      quick_action: 'explain',
    })
    const before = await getBalance(client)
    world.upstream.script(PAID, {
      text: JSON.stringify(PROMPTS),
      usage: createUsage(1_000, 4_000),
      stall: 'headers',
    })
    const asked = world.upstream.requests.length
    const answered: string[][] = []
    const appending = [1, 2, 3].map(async () => answered.push((await append(client)).prompts))
    await expect.poll(() => answered).toEqual([[], []])
    world.upstream.release()
    await Promise.all(appending)
    expect(answered).toEqual([[], [], PROMPTS])
    expect((await append(client)).prompts).toEqual(PROMPTS)
    expect(world.upstream.requests.length).toBe(asked + 1)
    expect(await getBalance(client)).toBe(before - 1)
    expect((await getLastMessage(client)).related_prompts).toEqual(PROMPTS)
    const form = await client.fetch('/api/chat/prompts/append', {
      method: 'POST',
      body: new URLSearchParams({ chatbot: 'dati', model: PAID }),
    })
    expect(await form.json()).toEqual({ prompts: PROMPTS })
  })

  test.each([
    ['a list with numbers', '好的：\n1. 甲？\n2. 乙？\n3、丙？\n希望有用', ['甲？', '乙？', '丙？']],
    [
      'an array in a fence',
      '```json\n["甲？", "乙？", 3, "甲？", "丙？", "丁？"]\n```',
      ['甲？', '乙？', '丙？'],
    ],
    ['nothing of use', '我不知道', []],
  ])('are read from %s', async (_, text, prompts) => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '答' })
    await client.ask('问')
    world.upstream.script(PAID, { text })
    expect((await append(client)).prompts).toEqual(prompts)
    expect((await getLastMessage(client)).related_prompts).toEqual(prompts)
  })

  test('are written by the model of the answer where the named one cannot be had', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '答' }, { text: '["甲？"]' })
    await client.ask('问')
    const { prompts } = await client.call('POST /api/chat/prompts/append', { body: {} })
    expect(prompts).toEqual(['甲？'])
    const guest = world.visitor()
    await guest.ask('问', { model: 'scripted' })
    expect((await append(guest)).prompts).toEqual(['甲？'])
  })

  test('are of the whole answer: those that were made while it was continued are not kept', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '问渠那得', finish: 'length' }, { text: '清如许' })
    await client.ask('背诗')
    world.upstream.script(PAID, { text: '["甲？"]', stall: 'headers' })
    const asked = world.upstream.requests.length
    const early = append(client)
    await expect.poll(() => world.upstream.requests.length).toBe(asked + 1)
    await client.ask('', { continue: true })
    world.upstream.release()
    expect((await early).prompts).toEqual(['甲？'])
    expect(await getLastMessage(client)).toMatchObject({ text: '问渠那得清如许', related_prompts: [] })
  })

  test('are made of a continued answer also while those of its beginning are still being made', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '问渠那得', finish: 'length' }, { text: '清如许' })
    await client.ask('背诗')
    const stall = 'headers'
    world.upstream.script(PAID, { text: '["甲？"]', stall }, { text: '["乙？"]', stall })
    const asked = world.upstream.requests.length
    const early = append(client)
    await expect.poll(() => world.upstream.requests.length).toBe(asked + 1)
    await client.ask('', { continue: true })
    const late = append(client)
    await expect.poll(() => world.upstream.requests.length).toBe(asked + 3)
    world.upstream.release()
    expect([(await early).prompts, (await late).prompts]).toEqual([['甲？'], ['乙？']])
    expect((await getLastMessage(client)).related_prompts).toEqual(['乙？'])
  })

  test('are none without an answer, and tried again later when making them failed', async () => {
    const client = await world.user()
    expect(await append(client)).toEqual({ prompts: [] })
    world.upstream.script('scripted', { text: '答' })
    await client.ask('问')
    world.upstream.script(PAID, { status: 500 })
    const before = await getBalance(client)
    expect((await expectCallError(append(client))).body.code).toBe('upstream_failed')
    expect(await append(client)).toEqual({ prompts: [] })
    expect(await getBalance(client)).toBe(before)
  })
})
