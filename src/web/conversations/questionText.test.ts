import { expect, test } from 'vitest'
import { isLongText, joinPastedText } from './questionText.ts'

test('a text is long by its characters or by its lines', () => {
  expect(isLongText('渠'.repeat(10_000))).toBe(false)
  expect(isLongText('渠'.repeat(10_001))).toBe(true)
  expect(isLongText('\n'.repeat(399))).toBe(false)
  expect(isLongText('\n'.repeat(400))).toBe(true)
})

test('what was typed comes before what was pasted', () => {
  expect(joinPastedText('总结：\n', '长文')).toBe('总结：\n\n长文')
  expect(joinPastedText('  ', '长文')).toBe('长文')
  expect(joinPastedText('只有字', '')).toBe('只有字')
})
