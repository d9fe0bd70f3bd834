import { expect, test } from 'vitest'
import { keptOf, partsOf } from './kept.ts'

test('what was typed and what was pasted come back apart', () => {
  for (const [typed, pasted] of [
    ['总结：', '一\n二'],
    ['', '一\n二'],
    ['只有字', ''],
    ['', ''],
    [' ', 'a\u001Fb'],
  ] as const)
    expect(partsOf(keptOf(typed, pasted))).toEqual({ typed, pasted })
})
