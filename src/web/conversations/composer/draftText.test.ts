import { expect, test } from 'vitest'
import { serializeDraft, parseDraft } from './draftText.ts'

test('what was typed and what was pasted come back apart', () => {
  for (const [typedText, pastedText] of [
    ['总结：', '一\n二'],
    ['', '一\n二'],
    ['只有字', ''],
    ['', ''],
    [' ', 'a\u001Fb'],
  ] as const)
    expect(parseDraft(serializeDraft(typedText, pastedText))).toEqual({
      typed: typedText,
      pasted: pastedText,
    })
})
