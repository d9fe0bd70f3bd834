import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_PROMPTS_PER_USER } from '#contract/prompts.ts'
import { loadBuiltInPrompts } from '#server/conversations/prompts/built-in.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

let folder: string
/** Differs from the built-in set, so that these tests do not depend on its words. */
const FILE = {
  categories: [
    { id: 'writing', name: '写作' },
    { id: 'code', name: '编程' },
  ],
  prompts: [
    { category: 'writing', id: 'polish', title: '润色', desc: '改通顺', text: '请润色：{{文字}}' },
    { category: 'writing', id: 'titles', title: '标题', desc: '', text: '请拟标题' },
    { category: 'code', id: 'sql', title: '写 SQL', desc: '查询', text: '请写一条查询' },
  ],
}

async function writePromptsFile(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wenqu-prompts-'))
})
afterAll(() => rm(folder, { recursive: true }))
const world = useOwnWorld({ env: async () => ({ PROMPTS_FILE: await writePromptsFile(FILE) }) })

const listPrompts = (
  client: Client,
  query: { q?: string; category?: string; page?: number; size?: number } = {},
) => client.call('GET /api/chat/prompts', { query })
const listTitles = async (client: Client, query = {}) =>
  (await listPrompts(client, query)).items.map(({ title }) => title)
const createPrompt = (client: Client, title: string, text = '正文', desc?: string) =>
  client.call('POST /api/chat/prompts', { body: { title, text, ...(desc ? { desc } : {}) } })

describe('prompts', () => {
  test('that are built in are there for everybody, by category and word', async () => {
    const guest = world.visitor()
    expect(await listPrompts(guest)).toMatchObject({ total: 3, categories: FILE.categories })
    expect(await listTitles(guest)).toEqual(['润色', '标题', '写 SQL'])
    expect(await listTitles(guest, { category: 'code' })).toEqual(['写 SQL'])
    expect(await listTitles(guest, { category: 'none' })).toEqual([])
    expect(await listTitles(guest, { q: '请  sql' })).toEqual(['写 SQL'])
    expect(await listTitles(guest, { q: '请 标题', category: 'writing' })).toEqual(['标题'])
    expect((await listPrompts(guest)).items[0]).toEqual({ ...FILE.prompts[0], own: false })
  })

  test('of one’s own come first, are changed and deleted', async () => {
    const client = await world.user()
    const first = await createPrompt(client, ' 甲 ', '写给{{谁}}')
    expect(first).toMatchObject({ title: '甲', desc: '', text: '写给{{谁}}', category: null, own: true })
    await createPrompt(client, '乙', '正文', '说明')
    expect(await listTitles(client)).toEqual(['乙', '甲', '润色', '标题', '写 SQL'])
    expect(await listTitles(client, { category: 'own' })).toEqual(['乙', '甲'])
    const { id } = first
    const changed = await client.call('PUT /api/chat/prompts/{id}', { params: { id }, body: { title: '丙' } })
    expect(changed).toMatchObject({ title: '丙', text: '写给{{谁}}' })
    expect(await client.call('PUT /api/chat/prompts/{id}', { params: { id }, body: {} })).toEqual(changed)
    await client.call('DELETE /api/chat/prompts/{id}', { params: { id } })
    expect(await listTitles(client, { category: 'own' })).toEqual(['乙'])
  })

  test('are read in pages over both kinds', async () => {
    const client = await world.user()
    for (const title of ['一', '二']) await createPrompt(client, title)
    const page = await listPrompts(client, { size: 3 })
    expect(page).toMatchObject({ total: 5, from: 1, to: 3, prev_url: null })
    const next = (await (await client.fetch(page.next_url!)).json()) as typeof page
    expect(next).toMatchObject({ cur_page: 2, from: 4, to: 5, next_url: null })
    expect([...page.items, ...next.items].map(({ title }) => title)).toEqual([
      '二',
      '一',
      '润色',
      '标题',
      '写 SQL',
    ])
    expect((await listPrompts(client, { page: 9 })).items).toEqual([])
  })

  test('of others are answered like what never was', async () => {
    const [client, other] = [await world.user(), await world.user()]
    const { id } = await createPrompt(client, '只有我')
    expect(await listTitles(other, { q: '只有我' })).toEqual([])
    for (const wanted of [id, crypto.randomUUID()]) {
      const params = { id: wanted }
      const answers = [
        await expectCallError(other.call('PUT /api/chat/prompts/{id}', { params, body: { title: '抢' } })),
        await expectCallError(other.call('DELETE /api/chat/prompts/{id}', { params })),
      ]
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [404, 'not_found'],
        [404, 'not_found'],
      ])
    }
    expect(await listTitles(client, { category: 'own' })).toEqual(['只有我'])
  })

  test('are kept by accounts only', async () => {
    expect((await expectCallError(createPrompt(world.visitor(), '访客'))).status).toBe(401)
    const guest = world.visitor()
    await guest.ask('问')
    expect((await expectCallError(createPrompt(guest, '访客'))).status).toBe(401)
    expect(await listTitles(guest)).toEqual(['润色', '标题', '写 SQL'])
  })

  test('need a title and a text, and not too many of them', async () => {
    const client = await world.user()
    const empty = await expectCallError(createPrompt(client, '  ', ' '))
    expect(empty.body).toMatchObject({
      code: 'invalid_input',
      errors: { title: '不能为空', text: '不能为空' },
    })
    for (let n = 0; n < MAX_PROMPTS_PER_USER; n++) await createPrompt(client, `第${n}`)
    const most = await expectCallError(createPrompt(client, '再来'))
    expect([most.status, most.body.code]).toEqual([409, 'prompt_count'])
  })
})

describe('the file of prompts', () => {
  test('that is built in has forty good ones in eight categories', () => {
    const { categories, prompts } = loadBuiltInPrompts('config/prompts.json')
    expect([categories.length, prompts.length]).toEqual([8, 40])
    for (const { id } of categories)
      expect(prompts.filter(({ category }) => category === id).length).toBeGreaterThanOrEqual(4)
    for (const { text } of prompts) {
      expect(text).toMatch(/\{\{[^{}]+\}\}/)
      expect(text.replace(/\{\{[^{}]+\}\}/g, '')).not.toMatch(/[{}]{2}/)
    }
  })

  test.each([
    ['broken JSON', '{'],
    ['a category that is not there', { ...FILE, categories: FILE.categories.slice(1) }],
    ['the same id twice', { ...FILE, prompts: [FILE.prompts[0], FILE.prompts[0]] }],
    ['a field that is not known', { ...FILE, more: 1 }],
  ])('is refused with its name for %s', async (_, content) => {
    const file = await writePromptsFile(content)
    expect(() => loadBuiltInPrompts(file)).toThrow(file)
  })
})
