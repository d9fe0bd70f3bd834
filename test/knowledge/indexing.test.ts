import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { useKnowledge } from './use-knowledge.ts'

const world = useKnowledge()

const count = async (table: 'document_chunks' | 'document_segments', id: string): Promise<number> => {
  const { rows } = await world.db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${sql.identifier(table)} WHERE document_id = ${id}`,
  )
  return rows[0]!.n
}
const book = (chapters: number) =>
  Array.from({ length: chapters }, (_, n) => ({
    text: `## 第${n + 1}章\n\n这一章讲第${n + 1}条河的水文，编号 R${n + 1}。`,
    place: { heading: [`第${n + 1}章`] },
  }))

test('a book of thousands of chunks is a few segments, and nobody waits for long meanwhile', async () => {
  let turns = 0
  let isDone = false
  const countTurns = (): void => {
    turns++
    if (!isDone) setImmediate(countTurns)
  }
  countTurns()
  const id = await world.add('河.md', book(2_500))
  isDone = true
  expect(await world.getState(id)).toMatchObject({ status: 2, chunks: 2_500 })
  expect([await count('document_segments', id), await count('document_chunks', id)]).toEqual([3, 2_500])
  expect(turns).toBeGreaterThan(50)
  for (const n of [1, 1_000, 1_001, 2_500])
    expect((await world.search([id], `编号 R${n} 的河`))[0]!.text).toContain(`R${n}。`)
})

test('indexed anew a document is searched as it was until it is as it is, and nothing of the old is left', async () => {
  const id = await world.add('价.md', ['会员年费是一百元。'])
  await world.add('价.md', ['会员年费是两百元。', '学生会员年费减半。'], id)
  const found = await world.search([id], '会员年费')
  expect(found.map(({ text }) => text).join()).not.toContain('一百元')
  expect(found[0]!.text).toContain('两百元')
  expect(await count('document_segments', id)).toBe(1)
})

test('of two indexings that were asked for the latest wins', async () => {
  const id = createId()
  await Promise.all(
    ['一', '二', '三'].map((version) =>
      world.index('版本.md', [...book(1_200), `最后一段是版本${version}。`], { id }),
    ),
  )
  await world.index('版本.md', [...book(1_200), '最后一段是版本四。'], { id })
  expect(await world.waitUntilIndexed(id)).toMatchObject({ status: 2, chunks: 1_201 })
  expect((await world.search([id], '最后一段是什么版本'))[0]!.text).toContain('版本四')
})

test('a document without text says why it cannot be searched', async () => {
  const id = await world.index('空.md', [])
  expect(await world.waitUntilIndexed(id)).toMatchObject({ status: 3, code: 'document_empty', chunks: 0 })
})

test('its owner can stop an indexing, nobody else; indexed anew it ends', async () => {
  const id = await world.index('停.md', book(30_000))
  await expect.poll(async () => (await world.getState(id))!.progress?.done).toBeGreaterThan(0)
  const { user_id } = await world.createOwner()
  await world.knowledge.cancel(user_id, [id])
  expect((await world.getState(id))!.status).toBe(1)
  await world.knowledge.cancel(world.owner.user_id, [id])
  expect(await world.getState(id)).toMatchObject({ status: 3, code: 'index_cancelled', progress: null })
  await world.add('停.md', book(10), id)
  expect(await world.getState(id)).toMatchObject({ status: 2, chunks: 10 })
})

test('a document whose pieces go while it is indexed is searched as it was, until it is indexed anew', async () => {
  const id = await world.add('再.md', book(2))
  const [reached, change] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.onRead(id, async (after) => {
    if (after < 100) return
    reached.resolve()
    await change.promise
  })
  await world.index('再.md', book(150), { id })
  await reached.promise
  await world.db.transaction((tx) => world.knowledge.supersede(tx, id))
  world.setPieces(id, [])
  change.resolve()
  // The next document is done after it.
  await world.add('后.md', ['之后。'])
  expect(await world.getState(id)).toMatchObject({ status: 1, code: null, chunks: 2 })
  await world.add('再.md', book(150), id)
  expect(await world.getState(id)).toMatchObject({ status: 2, chunks: 150 })
})

test('what was removed is gone, also while it is being indexed', async () => {
  const id = await world.add('删.md', ['要删除的内容。'])
  const running = createId()
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.onRead(running, async (after) => {
    if (after < 2_000) return
    reached.resolve()
    await goOn.promise
  })
  await world.index('删二.md', book(5_000), { id: running })
  await reached.promise
  expect((await world.getState(running))!.status).toBe(1)
  for (const one of [id, running]) await world.db.transaction((tx) => world.knowledge.remove(tx, one))
  expect(await world.search([id, running], '要删除的内容')).toEqual([])
  expect((await world.knowledge.listDocuments([id, running])).size).toBe(0)
  goOn.resolve()
  // The next document is done after it: nothing of the first came back.
  await world.add('后.md', ['之后。'])
  expect([await count('document_segments', running), await count('document_chunks', running)]).toEqual([0, 0])
})
