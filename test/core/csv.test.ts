import { expect, test } from 'vitest'
import { toCsv } from '#server/core/csv.ts'

test('no spreadsheet computes a text, however it begins; numbers stay numbers', () => {
  const texts = ['=1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'a=1', '引"号"']
  const marked = [`"'=1"`, `"'+1"`, `"'-1"`, `"'@SUM(A1)"`, `"'\t=1"`, `"'\r=1"`, '"a=1"', '"引""号"""']
  expect(toCsv(['名称', '数量'], [...texts.map((text) => [text, -1]), [null, 0]])).toBe(
    ['\uFEFF"名称","数量"', ...marked.map((text) => `${text},-1`), '"",0', ''].join('\r\n'),
  )
})
