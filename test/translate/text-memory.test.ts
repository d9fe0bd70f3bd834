import { expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import {
  download,
  listDocxTexts,
  makeDocx,
  replyWith,
  startTranslation,
  waitForTranslation,
  withModels,
} from './document.ts'

const world = useOwnWorld({ models: withModels({ id: 'qwen-scripted' }) })

const LAKE = 'The lake is quiet.'
const HILL = 'The hill is high.'
const ROAD = 'The road is long.'
const [LAKE_ZH, HILL_ZH, ROAD_ZH] = ['湖很安静。', '山很高。', '路很长。']

const countCalls = () => world.upstream.requests.length
const getBalance = async (by: Client) => (await by.call('GET /api/credit/balance', {})).balance
const getAsked = () => {
  const { messages } = world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }
  return messages.at(-1)!.content
}

type Delta = { delta_content: string; replace?: true }
const readAnswer = async (by: Client) =>
  (await by.call('GET /api/chat/messages', { query: { chatbot: 'fanyi', size: 1 } })).messages.at(-1)!

/** Translates a text and waits for it; `answer` is the model's answer if it is asked. */
async function translate(by: Client, prompt: string, answer: string | null, more: object = {}) {
  const body = { prompt, model: 'flat', target_lang: 'zh-CN' as const, ...more }
  if (answer !== null) world.upstream.script(body.model, { text: answer })
  const started = await by.call('POST /api/translate', { body })
  const query = { chat_id: started.chat_id, chatbot: 'fanyi' }
  const { chat_message } = await by.call('POST /api/chat/completions', { query })
  return { ...started, ...chat_message }
}

test('a text that was translated before costs nothing again, and says so; asked for again it does', async () => {
  const client = await world.user()
  const text = `${LAKE}\n\n  ${HILL}`
  const first = await translate(client, text, `${LAKE_ZH}\n\n  ${HILL_ZH}`)
  expect(first).toMatchObject({ from_memory: false, message: '正在翻译，请稍候...' })
  const [calls, before] = [countCalls(), await getBalance(client)]
  // Each paragraph counts by itself, in another order and with other white space.
  const second = await translate(client, `${HILL}\n${LAKE}\n---`, null)
  expect(second).toMatchObject({
    from_memory: true,
    message: '来自翻译记忆，没有收费',
    text: `${HILL_ZH}\n${LAKE_ZH}\n---`,
    status: 'done',
    figures: null,
  })
  expect((await translate(client, text, null)).text).toBe(`${LAKE_ZH}\n\n  ${HILL_ZH}`)
  expect([countCalls(), await getBalance(client)]).toEqual([calls, before])
  // A reader gets it like any answer, also from the middle.
  const events: string[] = []
  for await (const { data } of client.events(second.chat_id)) events.push(data)
  expect(events.at(-1)).toBe('[DONE]')
  expect(JSON.parse(events[0]!)).toMatchObject({ delta_content: `${HILL_ZH}\n${LAKE_ZH}\n---` })
  expect(await translate(client, HILL, '山岳高耸。', { fresh: true })).toMatchObject({
    from_memory: false,
    text: '山岳高耸。',
  })
  expect((await translate(client, HILL, null)).text).toBe('山岳高耸。')
  // Another model is asked for its own.
  expect(await translate(client, HILL, '丘陵很高。', { model: 'scripted' })).toMatchObject({
    from_memory: false,
    text: '丘陵很高。',
  })
})

test.each(['flat', 'qwen-scripted'])(
  'of a text that is known in part %s is asked for the rest',
  async (model) => {
    const user = await world.user()
    await translate(user, `${LAKE}\n${ROAD}`, `${LAKE_ZH}\n${ROAD_ZH}`, { model })
    world.upstream.script(model, { text: HILL_ZH, chars: 2, every_ms: 60 })
    const body = { prompt: `${LAKE}\n${HILL}\n\n${ROAD}`, model, target_lang: 'zh-CN' } as const
    const { chat_id, from_memory } = await user.call('POST /api/translate', { body })
    expect(from_memory).toBe(false)
    const query = new URLSearchParams({ chatbot: 'fanyi', chat_id, model, target_lang: 'zh-CN' })
    const whole = `${LAKE_ZH}\n${HILL_ZH}\n\n${ROAD_ZH}`
    // Both while it is written, and afterwards.
    for (let reading = 0; reading < 2; reading++) {
      const events = (await (await user.fetch(`/api/chat/completions?${query.toString()}`)).text())
        .split('\n')
        .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Delta] : []))
      const text = events.reduce((soFar, one) => (one.replace ? '' : soFar) + one.delta_content, '')
      expect(text).toBe(whole)
      expect(events.every(({ replace = false }) => replace === (model !== 'flat'))).toBe(true)
    }
    expect(getAsked()).toBe(HILL)
    expect((await translate(user, body.prompt, null, { model })).from_memory).toBe(true)
  },
)

test('what was stopped, broke off or came back wrong is not remembered', async () => {
  const user = await world.user()
  world.upstream.script('flat', { text: LAKE_ZH.repeat(40), chars: 5, stall: 2 })
  const body = { prompt: LAKE, model: 'flat', target_lang: 'zh-CN' } as const
  const { chat_id } = await user.call('POST /api/translate', { body })
  await expect.poll(async () => (await readAnswer(user)).text).toBe(LAKE_ZH)
  await user.call('POST /api/chat/cancel', { body: { chat_id } })
  world.upstream.release()
  const calls = countCalls()
  await translate(user, LAKE, 'The lake is quiet and it stays quiet.')
  await translate(user, LAKE, `${LAKE_ZH}\n${LAKE_ZH}`)
  expect((await translate(user, LAKE, LAKE_ZH)).from_memory).toBe(false)
  expect(countCalls()).toBe(calls + 3)
  expect((await translate(user, LAKE, null)).from_memory).toBe(true)
})

test('another tone or language is another translation; a changed term asks for the paragraphs that have it', async () => {
  const user = await world.user()
  const text = `${LAKE}\n${HILL}`
  await translate(user, text, `${LAKE_ZH}\n${HILL_ZH}`)
  expect((await translate(user, text, `湖好静。\n山好高。`, { tone: '口语' })).from_memory).toBe(false)
  expect((await translate(user, LAKE, 'Le lac est calme.', { target_lang: 'fr' })).from_memory).toBe(false)
  const term = { term: 'hill', translation: '丘陵', target_lang: 'zh-CN' } as const
  await user.call('POST /api/glossary', { body: term })
  const again = await translate(user, text, '丘陵很高。')
  expect(again.text).toBe(`${LAKE_ZH}\n丘陵很高。`)
  expect(getAsked()).toBe(HILL)
})

test('texts and documents share one memory', async () => {
  const user = await world.user()
  world.upstream.script('flat', { reply: replyWith((text) => text.replace('stay', '留下')) })
  const first = await startTranslation(world, user, {
    name: 'a.docx',
    content: makeDocx(['A &amp; B stay.']),
  })
  await waitForTranslation(user, first.task)
  const known = await translate(user, 'A & B stay.', null)
  expect(known).toMatchObject({ from_memory: true, text: 'A & B 留下.' })
  await translate(user, HILL, HILL_ZH)
  const calls = countCalls()
  const second = await startTranslation(world, user, { name: 'b.docx', content: makeDocx([HILL]) })
  expect((await waitForTranslation(user, second.task)).data).toMatchObject({ from_memory: 1, translated: 1 })
  expect(countCalls()).toBe(calls)
})

test('a sentence in the person’s own words is kept, and used from then on by every model, in documents too', async () => {
  const user = await world.user()
  const { chat_id } = await translate(user, `${LAKE}\n${HILL}`, `${LAKE_ZH}\n${HILL_ZH}`)
  const own = `${LAKE_ZH}\n山峰高耸。`
  const change = (by: Client, body: { text?: string; liked?: boolean }) =>
    by.call('PATCH /api/translate/{chat_id}', { params: { chat_id }, body })
  expect((await change(user, { text: own })).chat_message.text).toBe(own)
  expect((await change(user, { liked: true })).chat_message).toMatchObject({ text: own, liked: true })
  expect(await readAnswer(user)).toMatchObject({ text: own, liked: true })
  expect(
    (await user.call('GET /api/chat/sessions', { query: { chatbot: 'fanyi', keywords: '高耸' } })).total,
  ).toBe(1)
  expect((await translate(user, HILL, null)).text).toBe('山峰高耸。')
  expect((await translate(user, HILL, null, { model: 'qwen-scripted' })).text).toBe('山峰高耸。')
  // The model's translation does not replace the person's.
  await translate(user, HILL, HILL_ZH, { fresh: true })
  const { task } = await startTranslation(world, user, { name: 'c.docx', content: makeDocx([HILL]) })
  await waitForTranslation(user, task)
  expect(listDocxTexts((await download(user, task)).bytes)).toEqual(['山峰高耸。'])

  const stranger = await world.user()
  expect((await expectCallError(change(stranger, { liked: true }))).status).toBe(404)
  const { chat_id: asked } = await user.ask('这是问答')
  const other = user.call('PATCH /api/translate/{chat_id}', {
    params: { chat_id: asked },
    body: { text: 'x' },
  })
  expect((await expectCallError(other)).status).toBe(404)
})

test('a translation that is being written is not changed', async () => {
  const user = await world.user()
  world.upstream.script('flat', { stall: 'headers' })
  const body = { prompt: ROAD, model: 'flat', target_lang: 'zh-CN' } as const
  const { chat_id } = await user.call('POST /api/translate', { body })
  const change = user.call('PATCH /api/translate/{chat_id}', { params: { chat_id }, body: { text: ROAD_ZH } })
  expect((await expectCallError(change)).body.code).toBe('turn_running')
  world.upstream.release()
})
