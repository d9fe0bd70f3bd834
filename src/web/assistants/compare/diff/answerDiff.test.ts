import { expect, test } from 'vitest'
import { diffAnswers } from './answerDiff.ts'

const cutRanges = (text: string, ranges: { start: number; end: number }[]) =>
  ranges.map(({ start, end }) => text.slice(start, end))

test('what one answer has and the other has not is found by Chinese words', () => {
  const [first, second] = ['今天天气很好，适合出门。', '今天天气不好，适合在家。']
  const diff = diffAnswers(first, second)
  expect(cutRanges(first, diff.first).join()).toContain('出门')
  expect(cutRanges(second, diff.second).join()).toContain('在家')
  expect(cutRanges(first, diff.first).join()).not.toContain('天气')
  expect(diff.isCoarse).toBe(false)
})

test('equal answers have no difference, and blanks alone make none', () => {
  expect(diffAnswers('一样', '一样')).toMatchObject({ first: [], second: [], same: 1 })
  expect(diffAnswers('a b', 'a  b')).toMatchObject({ first: [], second: [] })
})

test('two empty answers are the same', () => {
  expect(diffAnswers('', '').same).toBe(1)
})
