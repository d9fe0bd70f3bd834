import { expect, test } from 'vitest'
import { toFileName } from './fileName.ts'

test.each([
  ['渠：清如许？', '渠：清如许？.md'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.md'],
  ['../../etc/passwd', 'etc passwd.md'],
  ['   ', 'wenqu.md'],
  ['一\n二', '一 二.md'],
])('%j is saved as %j', (title, name) => {
  expect(toFileName(title, 'md')).toBe(name)
})

test('a long title is cut between characters', () => {
  expect(toFileName('😀'.repeat(200), 'md')).toBe(`${'😀'.repeat(60)}.md`)
})
