import { expect, test } from 'vitest'
import { exhaustDelays } from '../tasks/delays.ts'
import type { TestPiece } from './use-knowledge.ts'
import { SECOND_MODEL, useKnowledge } from './use-knowledge.ts'

/** Price of the scripted model, whose double counts a token a character. */
const MICROCOINS_PER_TOKEN = 100n
const world = useKnowledge({ embedding_model: 'auto' })

const sections = (count: number, about = '河'): TestPiece[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `第${n + 1}条${about}的水文记录，编号 ${about}${n + 1}。`,
    place: { heading: [`${about}${n + 1}`] },
  }))
const countEmbedded = (): number => world.listEmbedded().flat().length

test('chunks get vectors, which their owner pays, and a question in another language finds them', async () => {
  const before = await world.getBalance()
  const id = await world.add('手册.md', [
    ...sections(20),
    { text: '正式员工每年享有年假。', place: { heading: ['休假'] } },
  ])
  expect(countEmbedded()).toBe(21)
  expect(world.listEmbedded().every((texts) => texts.length <= 10)).toBe(true)
  expect(world.listEmbedded().flat()).toContain('手册.md › 休假\n正式员工每年享有年假。')
  expect(await world.getBalance()).toBeLessThan(before)
  const asker = await world.createOwner()
  const [first] = await world.search([id], 'annual leave of permanent staff', asker)
  expect(first!.text).toContain('年假')
  expect(first!.confidence).toBeGreaterThan(0.35)
  expect(await world.getBalance(asker)).toBeLessThan(50_000_000n)
})

test('indexed anew, what has not changed keeps its vector', async () => {
  const id = await world.add('湖.md', sections(30, '湖'))
  const before = countEmbedded()
  await world.add('湖.md', [...sections(30, '湖'), '新加的一段。', '又一段。'], id)
  // Short neighbours are one chunk.
  expect(countEmbedded()).toBe(before + 1)
  expect((await world.search([id], '新加的一段'))[0]!.text).toContain('新加的一段。')
})

test('a model that fails is the reason that a document was not indexed; retried, what was paid is not paid again', async () => {
  const before = await world.getBalance()
  world.upstream.script('scripted-embedding', {}, {}, { status: 500 })
  const id = await world.index('海.md', sections(60, '海'))
  const getDelay = async () => (await world.getState(id))?.progress?.delay
  await expect.poll(getDelay).toBe('模型服务暂时出错，稍后自动重试')
  await exhaustDelays(world.db)
  const failed = await world.waitUntilIndexed(id)
  expect(failed).toMatchObject({ status: 3, chunks: 60, code: expect.stringMatching(/^upstream_/) })
  const paid = before - (await world.getBalance())
  expect(paid).toBeGreaterThan(0n)
  // The finished part can be searched.
  world.upstream.script('scripted-embedding', {})
  await world.add('海.md', sections(60, '海'), id)
  const texts = sections(60, '海').map(
    (_, n) => `海.md › 海${n + 1}\n第${n + 1}条海的水文记录，编号 海${n + 1}。`,
  )
  const tokens = texts.reduce((sum, text) => sum + text.length, 0)
  expect(before - (await world.getBalance())).toBe(BigInt(tokens) * MICROCOINS_PER_TOKEN)
})

test('who cannot pay is told so, and their document is searched by its words', async () => {
  const poor = await world.createOwner(0n)
  const id = await world.index('穷.md', sections(3, '溪'), { payer: poor })
  expect(await world.waitUntilIndexed(id)).toMatchObject({
    status: 3,
    code: 'insufficient_balance',
    chunks: 3,
  })
  expect((await world.search([id], '编号 溪2', poor))[0]!.text).toContain('溪2')
})

test('an answer that is no vectors is refused', async () => {
  world.upstream.script('scripted-embedding', {
    answer: { data: [{ index: 0, embedding: ['x'] }, ...Array.from({ length: 9 }, () => ({}))] },
  })
  const id = await world.index('坏.md', sections(10, '泉'))
  expect(await world.waitUntilIndexed(id)).toMatchObject({ status: 3, code: 'upstream_malformed' })
  world.upstream.script('scripted-embedding', {})
})

test('a question whose vector cannot be made is searched for by its words', async () => {
  const id = await world.add('井.md', sections(5, '井'))
  world.upstream.script('scripted-embedding', { status: 500 })
  expect((await world.search([id], '编号 井3'))[0]!.text).toContain('井3')
  world.upstream.script('scripted-embedding', {})
})

test('a document that is indexed anew while the question gets its vector is still found', async () => {
  const id = await world.add('江.md', sections(5, '江'))
  world.upstream.script('scripted-embedding', { stall: 'headers' }, {})
  const before = countEmbedded()
  const searching = world.search([id], '编号 江2')
  await expect.poll(countEmbedded).toBe(before + 1)
  await world.add('江.md', ['新加的一段。', ...sections(5, '江')], id)
  world.upstream.release()
  expect((await searching)[0]).toMatchObject({ chunk: 3, text: expect.stringContaining('江2') })
  // The question's vector is not made twice.
  expect(
    world
      .listEmbedded()
      .flat()
      .filter((text) => text === '编号 江2'),
  ).toHaveLength(1)
})

test('documents with vectors of different models are searched together', async () => {
  const mine = await world.add('甲.md', ['蓝鲸一号的保修期为三年。', ...sections(5, '甲')])
  world.setEmbeddingModel(SECOND_MODEL)
  const other = await world.add('乙.md', ['白鹭二号的保修期为两年。', ...sections(5, '乙')])
  const found = await world.search([mine, other], 'how long the warranty is')
  expect(found.map(({ document_id }) => document_id)).toEqual(expect.arrayContaining([mine, other]))
  const asked = world.upstream.requests.slice(-2).map(({ body }) => (body as { model: string }).model)
  expect(asked.length).toBe(2)
  // After a lasting change of the setting, a document gets the new model's vectors when it is indexed again.
  await world.add('甲.md', ['蓝鲸一号的保修期为三年。'], mine)
  const before = world.upstream.requests.length
  expect((await world.search([mine, other], 'how long the warranty is')).length).toBeGreaterThan(0)
  expect(world.upstream.requests.length).toBe(before + 1)
})
