import { beforeAll, expect, test } from 'vitest'
import { sendAdminCommand } from '#server/admin/socket.ts'
import { upload } from '../files/upload.ts'
import { exhaustDelays } from '../tasks/delays.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import {
  download,
  getTask,
  listDocxTexts,
  makeDocx,
  replyWith,
  startTranslation,
  toChinese,
  toTranslation,
  waitForTranslation,
} from './document.ts'

const world = useOwnWorld({ env: { SIGNUP_COINS: '3' } })
let client: Client
beforeAll(async () => {
  client = await world.user('translator@example.com')
  await sendAdminCommand(world.data_dir, ['grant', 'translator@example.com', '60'])
})

/** Makes sentences for one test alone: earlier translations are remembered. */
const sentences = (about: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `The ${about} of chapter ${n + 1} is quiet in the morning.`)
/** Makes a text long enough for a call of its own. */
const long = (text: string): string => `${text} ${'The river runs on and on to the sea. '.repeat(130)}`.trim()
const getBalance = async (by = client) => (await by.call('GET /api/credit/balance', {})).balance
const countCalls = () => world.upstream.requests.length

test('a document is translated in the background, text by text, and downloaded with nothing else changed', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const texts = [...sentences('lake', 3), '2024 — 100%']
  const content = makeDocx(texts)
  const before = await getBalance()
  const { task, block } = await startTranslation(world, client, { name: '湖.docx', content })
  const ended = await waitForTranslation(client, task)
  expect(ended.task).toMatchObject({
    kind: 'translation',
    name: '湖.docx',
    status: 2,
    done: 3,
    total: 3,
    cost: 1,
    error: null,
  })
  expect(ended.data).toMatchObject({ block, format: 'docx', segments: 3, translated: 3, failed: 0, kept: [] })
  expect(ended.data.items[0]).toMatchObject({ n: 1, text: texts[0], translation: toChinese(texts[0]!) })
  expect(await getBalance()).toBe(before - 1)
  const translated = await download(client, task)
  expect(translated.name).toBe('湖.zh-CN.docx')
  expect(listDocxTexts(translated.bytes)).toEqual(texts.map(toChinese))
  const bilingual = await download(client, task, 'bilingual')
  expect(listDocxTexts(bilingual.bytes).slice(0, 2)).toEqual([texts[0], toChinese(texts[0]!)])
})

test('what was translated before costs nothing again, in another document too; the estimate says so', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const first = sentences('hill', 2)
  const content = makeDocx([...first, first[0]!])
  const { task, block } = await startTranslation(world, client, { name: 'a.docx', content })
  // The same text is translated once.
  expect((await waitForTranslation(client, task)).data).toMatchObject({ translated: 3, from_memory: 1 })
  const calls = countCalls()
  const more = makeDocx([...first, 'A new line about the hill stands here.'])
  const other = await startTranslation(world, client, { name: 'b.docx', content: more })
  const body = { block: other.block, model: 'flat', target_lang: 'zh-CN' as const }
  expect((await waitForTranslation(client, other.task)).data).toMatchObject({ translated: 3, from_memory: 2 })
  expect(JSON.stringify(world.upstream.requests.slice(calls).map((one) => one.body))).not.toContain('quiet')
  expect(countCalls()).toBe(calls + 1)
  expect(await client.call('POST /api/translate/estimate', { body })).toMatchObject({
    segments: 3,
    from_memory: 3,
    amount: 0,
    missing: 0,
  })
  // Another language is another translation.
  const estimate = await client.call('POST /api/translate/estimate', {
    body: { ...body, block, target_lang: 'fr' },
  })
  expect(estimate).toMatchObject({ from_memory: 0, amount: 1, max_amount: 1, missing: 0 })
})

test('a text that comes back wrong is asked for alone, once; then the better of both stays and is reported', async () => {
  const [lost, cut, good] = [
    'The lost sentence has number 17 in it.',
    'The cut sentence has number 18 in it.',
    'The good sentence has number 19 in it.',
  ]
  const translate = (text: string): string =>
    text === lost ? text : toChinese(text === cut ? text.replace('18', '') : text)
  world.upstream.script('flat', { reply: replyWith(translate) })
  const calls = countCalls()
  const { task } = await startTranslation(world, client, {
    name: 'c.docx',
    content: makeDocx([lost, cut, good]),
  })
  const { status, data, task: ended } = await waitForTranslation(client, task)
  expect(status).toBe(2)
  expect(ended).toMatchObject({ done: 3, total: 3, cost: 3 })
  expect(data).toMatchObject({ translated: 2, failed: 2 })
  expect(data.problems).toMatchObject([
    { n: 1, problem: 'untranslated', translation: null, message: expect.stringContaining('保留原文') },
    { n: 2, problem: 'numbers', translation: toChinese(cut.replace('18', '')) },
  ])
  const asked = world.upstream.requests.slice(calls).map(({ body }) => JSON.stringify(body))
  expect(asked).toHaveLength(3)
  expect(asked.filter((one) => one.includes('19'))).toHaveLength(1)
  expect(listDocxTexts((await download(client, task)).bytes)[0]).toBe(lost)
})

test('one that is stopped keeps what it has, as a file too, and a retry pays for the rest alone', async () => {
  const texts = Array.from({ length: 6 }, (_, n) => long(`Part ${n + 1} of the long book.`))
  world.upstream.script('flat', { reply: replyWith() }, { reply: replyWith() }, { stall: 'headers' })
  const calls = countCalls()
  const { task, block } = await startTranslation(world, client, { name: 'd.docx', content: makeDocx(texts) })
  await expect.poll(() => countCalls()).toBe(calls + 6)
  await expect.poll(async () => (await getTask(client, task)).task.done).toBe(2)
  expect((await client.fetch(`/api/task/${task}/file`)).status).toBe(409)
  // Starting the same again returns the task under way.
  const again = { biz_type: 'file' as const, block, target_lang: 'zh-CN' as const, model: 'flat' }
  expect((await client.call('POST /api/translate', { body: again })).task).toBe(task)
  const { data } = await client.call('POST /api/task/{id}/cancel', { params: { id: task } })
  world.upstream.release()
  expect(data).toMatchObject({ status: 3, error: '任务已停止，可以重试', done: 2, total: 6, cost: 2 })
  const partial = listDocxTexts((await download(client, task)).bytes)
  expect(partial.filter((text) => text.includes('译'))).toHaveLength(2)

  world.upstream.script('flat', { reply: replyWith() })
  await client.call('POST /api/task/{id}/retry', { params: { id: task } })
  const ended = await waitForTranslation(client, task)
  expect(ended.task).toMatchObject({ status: 2, done: 6, cost: 6 })
  expect(countCalls()).toBe(calls + 10)
  expect(
    (await expectCallError(client.call('POST /api/task/{id}/retry', { params: { id: task } }))).body.code,
  ).toBe('task_done')
})

test('a failure of the platform is tried once more; then the task waits, and in the end fails with its reason', async () => {
  world.upstream.script('flat', { status: 500 }, { reply: replyWith() })
  const first = await startTranslation(world, client, {
    name: 'e.docx',
    content: makeDocx(sentences('gate', 1)),
  })
  expect((await waitForTranslation(client, first.task)).status).toBe(2)
  world.upstream.script('flat', { status: 500 })
  const second = await startTranslation(world, client, {
    name: 'f.docx',
    content: makeDocx(sentences('door', 1)),
  })
  const getTask = async () =>
    (await client.call('GET /api/task/{id}/result', { params: { id: second.task }, query: {} })).task
  await expect.poll(async () => (await getTask()).delay).toBe('模型服务暂时出错，稍后自动重试')
  await exhaustDelays(world.db())
  expect((await waitForTranslation(client, second.task)).task).toMatchObject({
    status: 3,
    error: '模型服务出错，请重试',
    cost: 0,
  })
  expect((await client.fetch(`/api/task/${second.task}/file`)).status).toBe(422)
})

test('one of which the platform refused every text has failed with that reason; a retry asks for all of it again', async () => {
  const refused = { status: 400, body: '{"error":{"message":"inappropriate content"}}' }
  const before = await getBalance()
  world.upstream.script('flat', refused)
  const content = makeDocx([...sentences('moor', 2), '2024 — 100%'])
  const { task } = await startTranslation(world, client, { name: 'm.docx', content })
  const failed = await waitForTranslation(client, task)
  const error = '内容没有通过模型服务的审核，请修改后再试'
  expect(failed.task).toMatchObject({ status: 3, error, done: 2, total: 2, cost: 0 })
  expect(failed.data).toMatchObject({ failed: 2, problems: [{ problem: 'missing' }, { problem: 'missing' }] })
  expect(await getBalance()).toBe(before)

  world.upstream.script('flat', refused, { reply: replyWith() })
  await client.call('POST /api/task/{id}/retry', { params: { id: task } })
  const ended = await waitForTranslation(client, task)
  expect(ended.task).toMatchObject({ status: 2, error: null, done: 2, total: 2, cost: 2 })
  expect(ended.data).toMatchObject({ translated: 2, failed: 0 })
  expect(await getBalance()).toBe(before - 2)
})

test('one of which the model gave nothing but the text itself has failed; one text of it is enough', async () => {
  const texts = sentences('fen', 2)
  const keepSource = (some: string[]) => replyWith((text) => (some.includes(text) ? text : toChinese(text)))
  const start = (name: string) => startTranslation(world, client, { name, content: makeDocx(texts) })
  world.upstream.script('flat', { reply: keepSource(texts) })
  const failed = await waitForTranslation(client, (await start('n.docx')).task)
  const error = '模型没有译出任何一段，请重试或换一个模型'
  expect(failed.task).toMatchObject({ status: 3, error, cost: 3 })
  world.upstream.script('flat', { reply: keepSource(texts.slice(1)) })
  const ended = await waitForTranslation(client, (await start('o.docx')).task)
  expect(ended.task.status).toBe(2)
  expect(ended.data).toMatchObject({ translated: 1, failed: 1 })
})

test('an answer that breaks off is neither paid nor kept, and is asked for once more', async () => {
  const texts = sentences('mill', 4)
  world.upstream.script('flat', { reply: replyWith(), chars: 40, cut: 4 }, { reply: replyWith() })
  const calls = countCalls()
  const { task } = await startTranslation(world, client, { name: 'k.docx', content: makeDocx(texts) })
  const ended = await waitForTranslation(client, task)
  expect(ended.task).toMatchObject({ status: 2, done: 4, total: 4, cost: 1 })
  expect(countCalls()).toBe(calls + 2)
})

test('whoever has too few coins for it all is told so, and keeps what they had coins for', async () => {
  const poor = await world.user()
  const texts = Array.from({ length: 5 }, (_, n) => long(`Page ${n + 1}.`))
  world.upstream.script('flat', { reply: replyWith() })
  const content = makeDocx(texts)
  const { task } = await startTranslation(world, poor, { name: 'g.docx', content })
  const { status, task: ended, data } = await waitForTranslation(poor, task)
  expect(status).toBe(3)
  expect(ended).toMatchObject({ error: '金币余额不足，请充值后再试', done: 3, total: 5, cost: 3 })
  expect(data.translated).toBe(3)
  expect(await getBalance(poor)).toBe(0)
})

test('a task and its texts are their owner’s alone, and go when it is deleted', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const content = makeDocx(sentences('wall', 1))
  const { task, block } = await startTranslation(world, client, { name: 'h.docx', content })
  await waitForTranslation(client, task)
  const other = await world.user()
  const params = { id: task }
  const body = { biz_type: 'file' as const, block, target_lang: 'zh-CN' as const }
  const refused = [
    () => getTask(other, task),
    () => other.call('POST /api/task/{id}/cancel', { params }),
    () => other.call('POST /api/task/{id}/retry', { params }),
    () => other.call('DELETE /api/task/{id}', { params }),
    () => other.call('POST /api/translate', { body }),
    () => other.call('POST /api/translate/estimate', { body }),
  ]
  for (const call of refused) expect((await expectCallError(call())).status).toBe(404)
  expect((await other.fetch(`/api/task/${task}/file`)).status).toBe(404)
  expect((await other.call('GET /api/tasks', {})).total).toBe(0)
  // Another person's paid translations are unknown here.
  const theirs = await startTranslation(world, other, { name: 'h.docx', content })
  expect((await waitForTranslation(other, theirs.task)).data.from_memory).toBe(0)
  const guest = world.visitor()
  expect((await expectCallError(guest.call('GET /api/tasks', {}))).status).toBe(401)
  expect((await expectCallError(guest.call('POST /api/translate', { body }))).status).toBe(401)

  const { total, items } = await client.call('GET /api/tasks', { query: { page_size: 2 } })
  expect(items).toHaveLength(2)
  expect(items[0]).toMatchObject({ kind: expect.stringMatching(/translation|reading/) })
  await client.call('DELETE /api/task/{id}', { params })
  expect((await expectCallError(getTask(client, task))).status).toBe(404)
  const list = await client.call('GET /api/tasks', { query: { page_size: 2 } })
  expect(list).toMatchObject({ total: total - 1, next_url: '/api/tasks?page=2&page_size=2', cur_page: 1 })
  expect(toTranslation((await getTask(other, theirs.task)).data).translated).toBe(1)
})

test('of one person one document is estimated or rebuilt at a time', async () => {
  const content = makeDocx(sentences('tower', 30))
  const { id: block } = await upload(world, client, { name: 'j.docx', content, channel: 'fanyi' })
  const body = { block, model: 'flat', target_lang: 'zh-CN' as const }
  const asked = await Promise.allSettled(
    [1, 2].map(() => client.call('POST /api/translate/estimate', { body })),
  )
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { body: { code: 'too_many_calls' } } }])
})

test('a form begins it too, and what cannot be translated is refused before', async () => {
  const { task: first, block } = await startTranslation(world, client, {
    name: 'i.docx',
    content: makeDocx(['Nothing new.']),
  })
  const form = (fields: Record<string, string>) =>
    client.fetch('/api/translate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ block, model: 'flat', target_lang: 'zh-CN', biz_type: 'file', ...fields }),
    })
  const begun = (await (await form({ target_lang: 'en' })).json()) as { message: string; task: string }
  expect(begun.message).toBe('已开始翻译，可以在任务中查看进度')
  expect((await form({ target_lang: 'xx' })).status).toBe(422)
  expect((await form({ model: 'nobody' })).status).toBe(404)
  // Coins and calls of both would count in the tests that follow.
  for (const task of [first, begun.task]) await waitForTranslation(client, task)
})

test('a file that is in the language already is asked about before anything is paid; yes translates it', async () => {
  world.upstream.script('flat', { reply: replyWith((text) => text.replace('鉴', '面')) })
  const content = makeDocx(['半亩方塘一鉴开，天光云影共徘徊。', '问渠那得清如许？为有源头活水来。'])
  const { id: block } = await upload(world, client, { name: '诗.docx', content, channel: 'fanyi' })
  const body = { block, model: 'flat', target_lang: 'zh-CN' as const }
  const [before, calls] = [await getBalance(), countCalls()]
  expect(await client.call('POST /api/translate/estimate', { body })).toMatchObject({
    already_in_language: true,
  })
  const file = { ...body, biz_type: 'file' as const }
  // Some start it before they know its cost.
  const estimate = client.call('POST /api/translate/estimate', { body })
  const refused = await expectCallError(client.call('POST /api/translate', { body: file }))
  await estimate
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'already_in_language', message: '这个文件看起来已经是简体中文，仍要翻译吗？' },
  ])
  expect([await getBalance(), countCalls()]).toEqual([before, calls])
  const { chat_id: task } = await client.call('POST /api/translate', { body: { ...file, anyway: true } })
  expect((await waitForTranslation(client, task)).data).toMatchObject({ translated: 2, failed: 0 })
  // Traditional Chinese is another language.
  const other = await client.call('POST /api/translate/estimate', { body: { ...body, target_lang: 'zh-TW' } })
  expect(other).toMatchObject({ already_in_language: false })
})

test('a translation that changes a placeholder is asked for again; then the source stays, and people see the placeholder', async () => {
  const texts = ['The moss has {name} and %d leaves.', 'The fern has {name} in it.']
  const translate = (text: string): string =>
    text.includes('moss') ? toChinese(text).replace('<1/>', '{名字}') : toChinese(text)
  world.upstream.script('flat', { reply: replyWith(translate) })
  const calls = countCalls()
  const { task } = await startTranslation(world, client, { name: 'p.docx', content: makeDocx(texts) })
  const { data } = await waitForTranslation(client, task)
  expect(countCalls()).toBe(calls + 2)
  expect(data).toMatchObject({ translated: 1, failed: 1, file_problems: [] })
  expect(data.problems).toMatchObject([
    {
      n: 1,
      text: texts[0],
      problem: 'placeholders',
      translation: null,
      message: expect.stringContaining('保留原文'),
    },
  ])
  expect(data.items[1]).toMatchObject({ text: texts[1], translation: '译 译 译 {name} 译 译.' })
  expect(listDocxTexts((await download(client, task)).bytes)).toEqual([texts[0], '译 译 译 {name} 译 译.'])
  // Another format has the same text with another placeholder.
  const json = JSON.stringify({ a: 'The fern has %s in it.' })
  const again = await startTranslation(world, client, { name: 'p.json', content: json })
  expect((await waitForTranslation(client, again.task)).data).toMatchObject({ from_memory: 1 })
  expect(Buffer.from((await download(client, again.task)).bytes).toString()).toBe(
    '{"a":"译 译 译 %s 译 译."}',
  )
})
