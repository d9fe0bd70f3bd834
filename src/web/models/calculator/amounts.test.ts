import { expect, test } from 'vitest'
import { estimateTokens, parseCount } from './amounts.ts'

test('counts are read as people write them', () => {
  expect(
    ['', '0', '1500', '1,500', ' 1.5k ', '2M', '2m', '3万', '1亿'].map((text) => parseCount(text)),
  ).toEqual([0, 0, 1500, 1500, 1500, 2_000_000, 2_000_000, 30_000, 100_000_000])
})

test('what is no count from 0 to a thousand million is refused', () => {
  for (const text of ['-1', 'abc', 'k', '1.5.2', '1kk', '1e9', '10.1亿', '99999999999']) {
    expect(parseCount(text), text).toBeNull()
  }
})

test('tokens are estimated by characters, Chinese ones dearer', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('你好，世界')).toBe(3)
  expect(estimateTokens('hello world')).toBe(4)
})
