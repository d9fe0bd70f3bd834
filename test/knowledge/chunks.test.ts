import { expect, test } from 'vitest'
import { cutPassage } from '#contract/documents/passages.ts'
import { splitIntoChunks } from '#server/documents/knowledge/chunks.ts'
import { locateChunk } from '#server/documents/knowledge/passage.ts'

test.each([679, 680, 681, 690, 699, 700, 701, 1_390])(
  'nothing is lost of %i characters without the end of a sentence',
  (count) => {
    const tail = '字'.repeat(count)
    const text = `${'句。'.repeat(400)}${tail}`
    const chunks = splitIntoChunks([{ n: 1, text, place: {} }])
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
  },
)

test('a chunk is found again where it stands, over several pieces and blank lines, and rows of a table without their header', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `| 第 ${n} 渠 | 水深 ${n * 7} 厘米，由第 ${n} 组看守 |`)
  const table = `下表是各渠的水深。\n\n| 渠 | 水深 |\n| --- | --- |\n${rows.join('\n')}`
  const texts = ['# 总说\n水从山里来。', '渠有六十条。', `# 各渠\n\n\n${table}\n完。`]
  const pieces = texts.map((text, at) => ({ n: at + 1, text, place: {} }))
  const chunks = splitIntoChunks(pieces)
  const shown = chunks.map((chunk) => {
    const parts = cutPassage(pieces, locateChunk(chunk, pieces))
    return parts.map(({ text }) => text).join('\n\n')
  })
  expect(shown[0]).toBe('# 总说\n水从山里来。\n\n渠有六十条。')
  const [first, ...others] = shown.filter((text) => text.includes('看守'))
  expect(first).toMatch(/^# 各渠\n\n\n下表是|^下表是/)
  expect(others.length).toBeGreaterThan(0)
  for (const text of others) expect(text).toMatch(/^\| 第 \d+ 渠 .*看守 \|$/s)
  expect([first, ...others].join('\n')).toContain(rows.join('\n'))
  expect(locateChunk({ piece: 2, text: '别处的话。' }, pieces)).toEqual({ n: 2, from: 0, chars: null })
})
