import { expect, test } from 'vitest'
import { cutPassage } from '#contract/documents/passages.ts'
import type { PassageSpan } from '#contract/documents/passages.ts'
import { selectPassages } from '#server/documents/blocks/passages.ts'
import { locateChunk, scoreChunks, splitIntoChunks } from '#server/documents/knowledge/knowledge.ts'

const page = (n: number, text: string) => ({ n, text, place: { page: n } })
const scoreTexts = (question: string, texts: string[]) =>
  scoreChunks(
    question,
    texts.map((text) => ({ piece: 1, place: {}, text })),
  )

test('words of Chinese are found by their pairs of characters too, others as whole words', async () => {
  const [withWord, without] = await scoreTexts('活水', ['为有源头活水来', '天光云影共徘徊'])
  expect(withWord).toBeGreaterThan(0)
  expect(without).toBe(0)
  const [word, part] = await scoreTexts('RAG', ['用ＲＡＧ检索', 'fragments'])
  expect(word).toBeGreaterThan(0)
  expect(part).toBe(0)
  const [plural, other] = await scoreTexts('running tests', ['the test runs', 'testimony'])
  expect(plural).toBeGreaterThan(0)
  expect(other).toBe(0)
  const [study, accent] = await scoreTexts('the studies of a café', ['we study', 'cafés'])
  expect(study).toBeGreaterThan(0)
  expect(accent).toBeGreaterThan(0)
  expect(await scoreTexts('长'.repeat(200_000), ['长长'])).toHaveLength(1)
})

test('a passage is about a paragraph, ends with a sentence where it can, and keeps its place', () => {
  const long = Array.from({ length: 80 }, (_, n) => `这是第${n}句，讲的是水。`).join('')
  const passages = splitIntoChunks([page(1, long), page(2, '第二页。'), page(2, '还是第二页。')])
  expect(passages.every(({ text }) => text.length <= 700)).toBe(true)
  expect(
    passages
      .filter(({ place }) => place.page === 1)
      .map(({ text }) => text)
      .join(''),
  ).toBe(long)
  expect(passages.at(-1)).toMatchObject({ piece: 2, place: { page: 2 }, text: '第二页。\n\n还是第二页。' })
  expect(splitIntoChunks([page(1, '字'.repeat(2_000))]).map(({ text }) => text.length)).toEqual([
    700, 700, 600,
  ])
  expect(splitIntoChunks([])).toEqual([])
})

test('a passage says where its words are in its piece and those that follow', () => {
  const rows = Array.from({ length: 120 }, (_, n) => `| 第${n}条 | 一样的内容 |`)
  const pieces = [
    page(1, `开头。\n\n${'同样的一句话，说了又说。'.repeat(90)}`),
    page(1, `# 标题\n\n\n\n短句。`),
    page(2, `下表：\n\n| 名 | 文 |\n| --- | --- |\n${rows.join('\n')}\n\n结尾。`),
  ].map((piece, at) => ({ ...piece, n: at + 1 }))
  const passages = splitIntoChunks(pieces)
  const words = (text: string) => text.replaceAll(/\s/g, '')
  let covered = ''
  let span: PassageSpan | undefined
  for (const chunk of passages) {
    span = locateChunk(chunk, pieces, span)
    const shown = cutPassage(pieces, span).map(({ text }) => words(text))
    expect(words(chunk.text).endsWith(shown.join(''))).toBe(true)
    covered += shown.join('')
  }
  // The header of the table stands in each of its parts, but once in the document.
  expect(covered).toBe(words(pieces.map(({ text }) => text).join('')))
})

test('a short document is taken whole, of a long one what has to do with the question, in its order', async () => {
  const pieces = Array.from({ length: 60 }, (_, n) =>
    page(n + 1, `第${n + 1}节。${'普通的内容，'.repeat(60)}`),
  )
  pieces[30]!.text += '源头活水在北山。'
  pieces[10]!.text += '活水不腐。'
  const passages = splitIntoChunks(pieces)
  expect(await selectPassages('源头活水', passages, 1_000_000)).toEqual(passages)
  const chosen = await selectPassages('源头活水在哪里', passages, 1_500)
  expect(chosen.map(({ piece }) => piece)).toEqual(expect.arrayContaining([1, 11, 31]))
  expect(chosen.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_500)
  // A question that shares no word with the text is about the whole.
  const overview = (await selectPassages('xyz', passages, 5_000)).map(({ piece }) => piece)
  expect(overview.length).toBeGreaterThan(5)
  expect(overview.at(-1)).toBeGreaterThan(40)
})

test('a document of millions of characters holds up nobody, whatever is in it', async () => {
  const hostile = [
    '！'.repeat(3_000),
    '. '.repeat(3_000),
    'a'.repeat(6_000),
    '\n'.repeat(3_000),
    '🙂'.repeat(3_000),
  ]
  const pieces = Array.from({ length: 500 }, (_, n) => page(n + 1, hostile[n % 5]!))
  const passages = splitIntoChunks(pieces)
  expect(passages.every(({ text }) => text.length <= 1_800)).toBe(true)
  let turns = 0
  let isDone = false
  const countTurns = (): void => {
    turns++
    if (!isDone) setImmediate(countTurns)
  }
  countTurns()
  await selectPassages('源头活水 a', passages, 1_000)
  isDone = true
  expect(turns).toBeGreaterThan(passages.length / 100 - 2)
})
