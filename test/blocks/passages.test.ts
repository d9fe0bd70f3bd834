import { expect, test } from 'vitest'
import { extractWords, scoreTexts, selectPassages, splitIntoPassages } from '#server/blocks/passages.ts'

const page = (n: number, text: string) => ({ n, text, place: { page: n } })

test('words of Chinese are found by their pairs of characters too, whatever a segmenter takes for a word', () => {
  expect(extractWords('源头活水 RAG-2')).toEqual(expect.arrayContaining(['rag', '2']))
  expect(extractWords('ＲＡＧ')).toEqual(['rag'])
  const [with_word, without] = scoreTexts('活水', ['为有源头活水来', '天光云影共徘徊'])
  expect(with_word).toBeGreaterThan(0)
  expect(without).toBe(0)
})

test('a passage is about a paragraph, ends with a sentence where it can, and keeps its place', () => {
  const long = Array.from({ length: 80 }, (_, n) => `这是第${n}句，讲的是水。`).join('')
  const passages = splitIntoPassages([page(1, long), page(2, '第二页。'), page(2, '还是第二页。')])
  expect(passages.every(({ text }) => text.length <= 700)).toBe(true)
  expect(
    passages
      .filter(({ place }) => place.page === 1)
      .map(({ text }) => text)
      .join(''),
  ).toBe(long)
  expect(passages.at(-1)).toEqual({ piece: 2, place: { page: 2 }, text: '第二页。\n\n还是第二页。' })
  expect(splitIntoPassages([page(1, '字'.repeat(2_000))]).map(({ text }) => text.length)).toEqual([
    700, 700, 600,
  ])
  expect(splitIntoPassages([])).toEqual([])
})

test('a short document is taken whole, of a long one what has to do with the question, in its order', () => {
  const pieces = Array.from({ length: 60 }, (_, n) =>
    page(n + 1, `第${n + 1}节。${'普通的内容，'.repeat(60)}`),
  )
  pieces[30]!.text += '源头活水在北山。'
  pieces[10]!.text += '活水不腐。'
  const passages = splitIntoPassages(pieces)
  expect(selectPassages('源头活水', passages, 1_000_000)).toEqual(passages)
  const chosen = selectPassages('源头活水在哪里', passages, 1_500)
  expect(chosen.map(({ piece }) => piece)).toEqual(expect.arrayContaining([1, 11, 31]))
  expect(chosen.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_500)
  // A question without any of its words is about the whole.
  const overview = selectPassages('xyz', passages, 5_000).map(({ piece }) => piece)
  expect(overview.length).toBeGreaterThan(5)
  expect(overview.at(-1)).toBeGreaterThan(40)
})
