import { expect, test } from 'vitest'
import { formatShortTime } from './format.ts'

test('a time says no more than is needed to know when it was', () => {
  const now = new Date(2026, 10, 23, 15, 0)
  const at = (...moment: [number, number, number, number, number]) =>
    formatShortTime(new Date(...moment).toISOString(), now)
  expect(at(2026, 10, 23, 9, 5)).toBe('09:05')
  expect(at(2026, 10, 22, 23, 59)).toBe('11月22日 23:59')
  expect(at(2025, 11, 31, 0, 0)).toBe('2025年12月31日 00:00')
})
