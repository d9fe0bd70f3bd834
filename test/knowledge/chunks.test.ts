import { expect, test } from 'vitest'
import { splitIntoChunks } from '#server/knowledge/chunks.ts'

test.each([679, 680, 681, 690, 699, 700, 701, 1_390])(
  'nothing is lost of %i characters without the end of a sentence',
  (count) => {
    const tail = '字'.repeat(count)
    const text = `${'句。'.repeat(400)}${tail}`
    const chunks = splitIntoChunks([{ n: 1, text, place: {} }])
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text)
  },
)
