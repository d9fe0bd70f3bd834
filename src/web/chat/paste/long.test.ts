import { expect, test } from 'vitest'
import { isLong, withPasted } from './long.ts'

test('a text is long by its characters or by its lines', () => {
  expect(isLong('渠'.repeat(10_000))).toBe(false)
  expect(isLong('渠'.repeat(10_001))).toBe(true)
  expect(isLong('\n'.repeat(399))).toBe(false)
  expect(isLong('\n'.repeat(400))).toBe(true)
})

test('what was typed comes before what was pasted', () => {
  expect(withPasted('总结：\n', '长文')).toBe('总结：\n\n长文')
  expect(withPasted('  ', '长文')).toBe('长文')
  expect(withPasted('只有字', '')).toBe('只有字')
})
