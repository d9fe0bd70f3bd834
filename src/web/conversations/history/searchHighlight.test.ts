import { expect, test } from 'vitest'
import { splitMatches } from './searchHighlight.ts'

const markMatches = (text: string, keywords: string) =>
  splitMatches(text, keywords)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

test('every word that was sought is marked, in any case, the longest first', () => {
  expect(markMatches('清泉石上流，Clear clear', '清泉 clear')).toBe('[清泉]石上流，[Clear] [clear]')
  expect(markMatches('排序与快速排序', '排序 快速排序')).toBe('[排序]与[快速排序]')
})

test('what would be a pattern is taken at its word', () => {
  expect(markMatches('100% (a.b) [x]', '0% (a.b [')).toBe('10[0%] [(a.b]) [[]x]')
  expect(markMatches('abc', 'a.c')).toBe('abc')
})

test('without words nothing is marked', () => {
  expect(splitMatches('清泉', '  ')).toEqual([{ text: '清泉', hit: false, at: 0 }])
})
