import { beforeAll, expect, test } from 'vitest'
import { MAX_TERMS } from '#contract/translate/glossary.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { makeDocx, replyWith, startTranslation, toChinese, waitForTranslation } from './document.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const list = async (by: Client, targetLang?: 'en' | 'zh-CN') =>
  (await by.call('GET /api/glossary', { query: { target_lang: targetLang } })).items.map(
    ({ term, translation }) => `${term} → ${translation}`,
  )
const importTerms = (by: Client, csv: string) =>
  by.call('POST /api/glossary/import', { body: { target_lang: 'zh-CN', csv } })

test('terms are added, changed, found by language and deleted; the same term in another case is the same', async () => {
  const user = await world.user()
  const add = (term: string, translation: string, targetLang: 'en' | 'zh-CN' = 'zh-CN') =>
    user.call('POST /api/glossary', { body: { term, translation, target_lang: targetLang } })
  const { data: lake } = await add('Lake', '湖')
  await add(' hill ', '山')
  await add('湖', 'lake', 'en')
  expect((await add('lake', '湖泊')).data.id).toBe(lake.id)
  expect(await list(user)).toEqual(['湖 → lake', 'hill → 山', 'lake → 湖泊'])
  expect(await list(user, 'en')).toEqual(['湖 → lake'])

  const change = (term: string) =>
    user.call('PUT /api/glossary/{id}', {
      params: { id: lake.id },
      body: { target_lang: 'zh-CN', term, translation: '大湖' },
    })
  expect((await expectCallError(change('HILL'))).body.code).toBe('glossary_duplicate')
  await change('the lake')
  expect(await list(user, 'zh-CN')).toEqual(['hill → 山', 'the lake → 大湖'])
  await user.call('DELETE /api/glossary/{id}', { params: { id: lake.id } })
  expect(await list(user, 'zh-CN')).toEqual(['hill → 山'])
  expect(await list(client)).toEqual([])
})

test('a table is imported with any separator; lines without a term and its translation are named', async () => {
  const user = await world.user()
  expect(await importTerms(user, '\uFEFFlake,湖\n"hill, high",高山\n\nonly\nlake,大湖\n')).toEqual({
    added: 2,
    changed: 0,
    skipped: [4],
  })
  expect(await importTerms(user, 'Lake;湖泊;a note\nsea;海;\n')).toEqual({
    added: 1,
    changed: 1,
    skipped: [],
  })
  expect(await list(user)).toEqual(['hill, high → 高山', 'Lake → 湖泊', 'sea → 海'])
})

test('a person has so many terms at most, however many they add at once', async () => {
  const user = await world.user()
  const table = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => `${name}${n},术语${n}`).join('\n')
  await importTerms(user, table(MAX_TERMS - 1, 'term'))
  const added = await Promise.allSettled(['one', 'two'].map((name) => importTerms(user, `${name},一`)))
  expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await expectCallError(importTerms(user, table(3, 'more')))).body.code).toBe('glossary_full')
  expect(await list(user)).toHaveLength(MAX_TERMS)
  // Existing terms can still be changed.
  expect(await importTerms(user, 'term0,改')).toEqual({ added: 0, changed: 1, skipped: [] })
})

test('a term that is changed translates anew the texts that have it and no others; one that is not used is reported', async () => {
  const texts = ['The quay is long.', 'The old harbour sleeps.', 'The sea is wide.']
  const content = makeDocx(texts)
  world.upstream.script('flat', { reply: replyWith() })
  const first = await startTranslation(world, client, { name: 'a.docx', content })
  await waitForTranslation(client, first.task)

  await importTerms(client, 'harbour,港湾')
  const calls = world.upstream.requests.length
  world.upstream.script('flat', {
    reply: replyWith((text) => toChinese(text).replace('译 译 译', '译 港湾 译')),
  })
  const begin = () =>
    client.call('POST /api/translate', {
      body: { biz_type: 'file', block: first.block, model: 'flat', target_lang: 'zh-CN' },
    })
  const { chat_id: second } = await begin()
  const { data } = await waitForTranslation(client, second)
  expect(data).toMatchObject({ translated: 3, from_memory: 2, failed: 0 })
  expect(data.items[1]!.translation).toContain('港湾')
  const asked = world.upstream.requests.slice(calls).map(({ body }) => JSON.stringify(body))
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('harbour → 港湾')
  expect(asked[0]).not.toContain('quay')

  await importTerms(client, 'harbour,海港')
  const { chat_id: third } = await begin()
  const report = (await waitForTranslation(client, third)).data
  expect(report).toMatchObject({ from_memory: 2, failed: 1 })
  expect(report.problems).toMatchObject([{ n: 2, problem: 'terms', translation: expect.any(String) }])
})
