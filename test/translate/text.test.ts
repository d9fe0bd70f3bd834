import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatStreamEvent } from '#contract/chat.ts'
import { errors } from '#contract/errors.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import {
  download,
  makeDocx,
  replyWith,
  startTranslation,
  toChinese,
  waitForTranslation,
  withModels,
} from './document.ts'

const LAKE = 'The lake lies quiet between the hills, and nobody walks along its shore in the morning.'
const PAGE = `<html><head><title>The lake</title></head><body><nav>Home</nav><article><h1>The lake</h1>
<p>${LAKE}</p><p>In winter the ice carries the whole town, and children skate from one side to the other until dark.</p>
</article><footer>All rights reserved</footer></body></html>`
/** Stands for a site of the public internet. */
const site = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
}).listen(0, '127.0.0.1')
afterAll(() => void site.close())
const egress = createEgress({
  resolve: async () => ['127.0.0.1'],
  isAllowedAddress: () => true,
  isAllowedPort: () => true,
})

/** Adds `qwen-scripted` and `long`, which can write long answers, to the usual models. */
const world = useOwnWorld({
  egress,
  models: withModels({ id: 'qwen-scripted' }, { id: 'long', context_window: 200_000, max_tokens: 60_000 }),
})
let client: Client
beforeAll(async () => {
  client = await world.user()
})

type Asked = { messages: { role: string; content: string }[]; temperature?: number; max_tokens?: number }
const getLastRequest = () => world.upstream.requests.at(-1)!.body as Asked

const translate = (prompt: string, more: object = {}) =>
  client.call('POST /api/translate', { body: { prompt, model: 'flat', target_lang: 'zh-CN', ...more } })

/** Reads the events of a translation, attached as the specification says; calls `onEvent` for each. */
async function readEvents(
  chatId: string,
  model = 'flat',
  by = client,
  onEvent: () => void = () => {},
): Promise<string[]> {
  const query = new URLSearchParams({ chatbot: 'fanyi', chat_id: chatId, model, target_lang: 'zh-CN' })
  const response = await by.fetch(`/api/chat/completions?${query.toString()}`)
  const events = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  const found: string[] = []
  for await (const { data } of events) {
    onEvent()
    found.push(data)
  }
  return found
}
const parse = (data: string) => JSON.parse(data) as Extract<ChatStreamEvent, { delta_content: string }>

test('a text is translated as it comes, by itself, and is kept as a turn of the channel', async () => {
  world.upstream.script('flat', { text: '湖很安静。' })
  const first = await translate('The lake is quiet.')
  expect(first).toMatchObject({ message: '正在翻译，请稍候...', task: null })
  const events = await readEvents(first.chat_id)
  expect(events.at(-1)).toBe('[DONE]')
  const parts = events.slice(0, -1).map(parse)
  expect(parts.map(({ delta_content }) => delta_content).join('')).toBe('湖很安静。')
  expect(parts.some(({ replace }) => replace)).toBe(false)

  world.upstream.script('flat', { text: '山很高。' })
  const second = await translate('The hill is high.', { tone: '口语' })
  await readEvents(second.chat_id)
  const { messages, temperature } = getLastRequest()
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(messages[0]!.content).toMatch(/译成简体中文[^]*语气：口语/)
  expect(messages[1]!.content).toBe('The hill is high.')
  expect(temperature).toBe(0.3)

  const kept = await client.call('GET /api/chat/messages', { query: { chatbot: 'fanyi' } })
  expect(kept.messages.map(({ text }) => text)).toEqual([
    'The lake is quiet.',
    '湖很安静。',
    'The hill is high.',
    '山很高。',
  ])
  expect(kept.messages[0]).toMatchObject({ quick_action: 'translate_zh_cn' })
  expect((await client.call('GET /api/chat/messages', {})).messages).toEqual([])
})

test('a text that is sent again under the same Idempotency-Key is translated and paid once', async () => {
  const person = await world.user()
  world.upstream.script('flat', { text: '风停了。' })
  const body = { prompt: 'The wind has died.', model: 'flat', target_lang: 'zh-CN' } as const
  const send = (more: object = {}) =>
    person.call(
      'POST /api/translate',
      { body: { ...body, fresh: true, ...more } },
      { headers: { 'Idempotency-Key': 'wind' } },
    )
  const getBalance = async () => (await person.call('GET /api/user/info', {})).balance
  const before = await getBalance()
  const { chat_id } = await send()
  expect((await readEvents(chat_id, 'flat', person)).at(-1)).toBe('[DONE]')
  const after = await getBalance()
  expect(after).toBeLessThan(before)
  // It is billed as a translation, like a document's.
  const { items } = await person.call('GET /api/user/transactions', { query: { source: 'translation' } })
  expect(items).toMatchObject([{ action: 'charge', model: 'flat', source: 'translation' }])

  expect((await send()).chat_id).toBe(chat_id)
  const kept = await person.call('GET /api/chat/messages', { query: { chatbot: 'fanyi' } })
  expect(kept.messages.map(({ text }) => text)).toEqual(['The wind has died.', '风停了。'])
  expect(await getBalance()).toBe(after)
  // The key stands for this text alone.
  const refused = await expectCallError(send({ prompt: 'The wind is back.' }))
  expect(refused.body.code).toBe('idempotency_mismatch')
})

test('a text is kept in the session that it names', async () => {
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'fanyi' } })
  await client.call('POST /api/chat/session/new', { body: { chatbot: 'fanyi' } })
  world.upstream.script('flat', { text: '水。' })
  const { chat_id } = await translate('Water.', { sess_id: session.id })
  await readEvents(chat_id)
  const kept = await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  expect(kept.messages.map(({ text }) => text)).toEqual(['Water.', '水。'])
  const stranger = await world.user()
  const body = { prompt: 'Fire.', target_lang: 'zh-CN' as const, sess_id: session.id }
  const refused = await expectCallError(stranger.call('POST /api/translate', { body }))
  expect(refused.status).toBe(404)
})

test('a model whose name begins with qwen sends its whole translation each time, any other what is new', async () => {
  world.upstream.script('qwen-scripted', { text: '第一句。第二句。第三句。', chars: 4, stall: 2 })
  const { chat_id } = await translate('One. Two. Three.', { model: 'qwen-scripted' })
  // It goes on after the reader's first event.
  const events = await readEvents(chat_id, 'qwen-scripted', client, () => world.upstream.release())
  const parts = events.slice(0, -1).map(parse)
  expect(parts.length).toBeGreaterThan(1)
  for (const { delta_content, replace } of parts) {
    expect(replace).toBe(true)
    expect('第一句。第二句。第三句。'.startsWith(delta_content)).toBe(true)
  }
  expect(parts.at(-1)!.delta_content).toBe('第一句。第二句。第三句。')
  // A later reader gets it whole, and so does a reader that comes back.
  expect((await readEvents(chat_id, 'qwen-scripted')).slice(0, -1).map(parse)).toEqual([
    { delta_content: '第一句。第二句。第三句。', replace: true },
  ])
})

test('the terms that a text has are asked for, those of other texts and languages are not', async () => {
  const add = (term: string, translation: string, targetLang: 'zh-CN' | 'fr' = 'zh-CN') =>
    client.call('POST /api/glossary', { body: { term, translation, target_lang: targetLang } })
  await add('Gatekeeper', '守门人')
  await add('harbour', '港湾')
  await add('gatekeeper', 'concierge', 'fr')
  world.upstream.script('flat', { text: '守门人睡了。' })
  await readEvents((await translate('The gatekeeper sleeps.')).chat_id)
  const { content } = getLastRequest().messages[0]!
  expect(content).toContain('Gatekeeper → 守门人')
  expect(content).not.toMatch(/港湾|concierge/)
})

test('a text of 10,000 words is translated whole; one that is stopped costs what it came to', async () => {
  const words = Array.from({ length: 10_000 }, (_, n) => (n % 20 ? 'river' : '\nThe')).join(' ')
  world.upstream.script('long', { text: '河流很长。'.repeat(4_000), chars: 400, finish: 'stop' })
  const whole = await translate(words, { model: 'long' })
  const events = await readEvents(whole.chat_id, 'long')
  expect(events.at(-1)).toBe('[DONE]')
  const text = events
    .slice(0, -1)
    .map((data) => parse(data).delta_content)
    .join('')
  expect(text).toBe('河流很长。'.repeat(4_000))
  expect(getLastRequest().max_tokens).toBeGreaterThan(20_000)
  const getAmount = async (chatId: string) => {
    const { route } = await client.call('GET /api/chat/explain', { query: { chat_id: chatId } })
    return route.bill!.output_tokens
  }
  const full = await getAmount(whole.chat_id)

  world.upstream.script('long', { text: '河流很长。'.repeat(4_000), chars: 400, stall: 3 })
  const stopped = await translate(words, { model: 'long' })
  await expect
    .poll(async () => {
      const { messages } = await client.call('GET /api/chat/messages', {
        query: { chatbot: 'fanyi', size: 1 },
      })
      return messages[0]!.text.length
    })
    .toBe(800)
  await client.call('POST /api/chat/cancel', { body: { chat_id: stopped.chat_id } })
  world.upstream.release()
  expect(await readEvents(stopped.chat_id, 'long')).toContain('{"state":"cancelled"}')
  const charged = await getAmount(stopped.chat_id)
  expect(charged).toBeGreaterThan(0)
  expect(charged).toBeLessThan(full / 10)
})

test('what cannot be translated is refused in the words of the specification’s page', async () => {
  const code = async (call: Promise<unknown>) => (await expectCallError(call)).body.code
  expect(await code(translate('  '))).toBe('empty_prompt')
  expect(await code(translate('x', { biz_type: 'file' }))).toBe('block_required')
  expect(await code(translate('x', { target_lang: 'xx' }))).toBe('invalid_input')
  expect(await code(translate('x', { model: 'nobody' }))).toBe('model_not_found')
  expect(await code(translate('长'.repeat(150_000), { model: 'flat' }))).toBe('text_too_long')
  const guest = world.visitor()
  await guest.ask('你好')
  const body = { prompt: 'x', target_lang: 'en' } as const
  expect((await expectCallError(guest.call('POST /api/translate', { body }))).status).toBe(401)
  const asked = { chatbot: 'fanyi', ...body }
  expect((await expectCallError(guest.call('POST /api/chat/create', { body: asked }))).status).toBe(401)
  expect(
    (await expectCallError(client.call('POST /api/chat/create', { body: { ...asked, target_lang: 'xx' } })))
      .status,
  ).toBe(400)
})

test('a text that the platform refuses has failed with that reason, and costs nothing', async () => {
  const balance = async () => (await client.call('GET /api/credit/balance', {})).balance
  const before = await balance()
  world.upstream.script('flat', { status: 400, body: '{"error":{"message":"inappropriate content"}}' })
  const { chat_id } = await translate('A text that nobody wants to translate.')
  const [error] = await readEvents(chat_id)
  expect(JSON.parse(error!)).toMatchObject({ error: { code: 'content_rejected' } })
  const query = { chat_id, chatbot: 'fanyi' }
  const { chat_message } = await client.call('POST /api/chat/completions', { query })
  expect(chat_message).toMatchObject({ status: 'failed', error: errors.content_rejected.message })
  expect(await balance()).toBe(before)
})

test('the translation of a document is sent as text while it is made, each paragraph once, to whoever attaches', async () => {
  const texts = [
    'The boat is white.',
    'The bridge is long.',
    `The river runs. ${'It runs on and on to the sea. '.repeat(200)}`.trim(),
  ]
  world.upstream.script('flat', { reply: replyWith() })
  const { task } = await startTranslation(world, client, { name: 'a.docx', content: makeDocx(texts) })
  const reading = readEvents(task)
  const events = await reading
  const again = await readEvents(task)
  const joined = (all: string[]) =>
    all
      .slice(0, -1)
      .map((data) => parse(data).delta_content)
      .join('')
  expect(joined(events)).toBe(texts.map(toChinese).join('\n\n'))
  expect(parse(events[0]!).replace).toBe(true)
  expect([events.at(-1), again.at(-1)]).toEqual(['[DONE]', '[DONE]'])
  expect(again).toHaveLength(2)
  expect(joined(again)).toBe(joined(events))
  const stranger = await world.user()
  const query = `chatbot=fanyi&chat_id=${task}`
  expect((await stranger.fetch(`/api/chat/completions?${query}`)).status).toBe(404)
  expect((await client.fetch(`/api/chat/completions?chatbot=dati&chat_id=${task}`)).status).toBe(404)
})

test('a link is translated as the article that was read, and saved as one', async () => {
  const { data: block } = await client.call('GET /api/block/link/extract', {
    query: { url: `http://site.example:${(site.address() as AddressInfo).port}/lake`, channel: 'fanyi' },
  })
  const wait = async () =>
    (await client.call('GET /api/block/{id}', { params: { id: block.id } })).data.status
  await expect.poll(wait).toBe(2)
  world.upstream.script('flat', { reply: replyWith() })
  const body = { biz_type: 'link', block: block.id, model: 'flat', target_lang: 'zh-CN' } as const
  const { chat_id } = await client.call('POST /api/translate', { body })
  expect((await waitForTranslation(client, chat_id)).data).toMatchObject({ format: 'md', failed: 0 })
  const { name, bytes } = await download(client, chat_id, 'bilingual')
  expect(name).toMatch(/zh-CN\.md$/)
  const text = Buffer.from(bytes).toString()
  expect(text).toContain(LAKE)
  expect(text).toContain(toChinese(LAKE))
  expect(text).not.toContain('All rights reserved')
})
