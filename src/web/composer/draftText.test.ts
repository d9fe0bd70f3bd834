import { expect, test } from 'vitest'
import { serializeDraft, parseDraft } from './draftText.ts'

const files = [{ id: '0198c0de-0000-7000-8000-000000000000', name: '2026年第三季度库存盘点（修订稿）.docx' }]

test('what was typed, what was pasted and what was attached come back apart', () => {
  for (const draft of [
    { typed: '总结：', pasted: '一\n二', files: [] },
    { typed: '', pasted: '一\n二', files },
    { typed: '只有字', pasted: '', files },
    { typed: '', pasted: '', files: [] },
    { typed: '', pasted: '', files },
    { typed: ' ', pasted: 'a\u001Fb', files: [] },
    { typed: ' ', pasted: '[1]\u001F{}', files },
  ])
    expect(parseDraft(serializeDraft(draft))).toEqual(draft)
})

test('a draft that was kept before documents were is read as it was', () => {
  expect(parseDraft('总结：\u001F一')).toEqual({ typed: '总结：', pasted: '一', files: [] })
})
