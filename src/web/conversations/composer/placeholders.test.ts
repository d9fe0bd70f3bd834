import { expect, test } from 'vitest'
import { findPlaceholder } from './placeholders.ts'

test('the next blank is found from a position on', () => {
  const text = '译成{{语言}}：{{原文}}'
  expect(findPlaceholder(text, 0)).toEqual({ start: 2, end: 8 })
  expect(findPlaceholder(text, 3)).toEqual({ start: 9, end: 15 })
  expect(findPlaceholder(text, 10)).toBeNull()
  expect(findPlaceholder('没有 {{ 断开\n}}', 0)).toBeNull()
})
