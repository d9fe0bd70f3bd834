import { expect, test } from 'vitest'
import { inputText } from './units.ts'

test('prices are told for as much as people think in', () => {
  expect(inputText('token', 50)).toBe('50.00')
  expect(inputText('character', 20_000)).toBe('200.00 / 万字符')
  // 6 coins a minute.
  expect(inputText('millisecond', 100)).toBe('360.00 / 小时')
})
