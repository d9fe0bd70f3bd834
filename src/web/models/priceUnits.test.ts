import { expect, test } from 'vitest'
import { formatInputPrice } from './priceUnits.ts'

test('prices are told for as much as people think in', () => {
  expect(formatInputPrice('token', 50)).toBe('50.00')
  expect(formatInputPrice('character', 20_000)).toBe('200.00 / 万字符')
  // 6 coins a minute.
  expect(formatInputPrice('millisecond', 100)).toBe('360.00 / 小时')
})
