import { expect, test } from 'vitest'
import { useKnowledge } from './use-knowledge.ts'

const world = useKnowledge({ rerank_model: 'scripted-rerank' })

const texts = [
  '年假十五天，入职满一年后开始计算。',
  '年假可以分段休，每年最多分三次，剩余的部分在次年三月底之前有效，逾期作废。',
  '年假申请要提前三天。',
].map((text, page) => ({ text, place: { page: page + 1 } }))
const findPages = async (id: string, more = {}) =>
  (await world.search([id], '年假申请', more)).map(({ place }) => place.page)

test('a model that reads them puts passages into their order, at the cost of who asks', async () => {
  const id = await world.add('休假.md', texts)
  const asker = await world.createOwner()
  // The double ranks the longest first.
  expect((await findPages(id, asker))[0]).toBe(2)
  expect(await world.getBalance(asker)).toBeLessThan(50_000_000n)
})

test('passages that it leaves out follow those that it names', async () => {
  const id = await world.add('休假三.md', texts)
  world.upstream.script('scripted-rerank', { answer: { results: [{ index: 1, relevance_score: 1 }] } })
  const named = await findPages(id)
  expect(named).toHaveLength(3)
  world.upstream.script('scripted-rerank', { status: 500 })
  const plain = await findPages(id)
  expect(named).toEqual([plain[1], plain[0], plain[2]])
  world.upstream.script('scripted-rerank', {})
})

test('where it fails, answers nonsense or cannot be paid, the order is that of words', async () => {
  const id = await world.add('休假二.md', texts)
  for (const script of [{ status: 500 }, { answer: { results: [{ index: 99, relevance_score: 1 }] } }]) {
    world.upstream.script('scripted-rerank', script)
    expect((await findPages(id))[0]).toBe(3)
  }
  world.upstream.script('scripted-rerank', {})
  expect((await findPages(id, await world.createOwner(0n)))[0]).toBe(3)
})
