import { expect, test } from 'vitest'
import { toCsv, toTsv } from './tableExport.ts'

test('a CSV file keeps commas, quotes and line breaks, and says that it is UTF-8', () => {
  expect(
    toCsv([
      ['甲', 'a,b'],
      ['说"渠"', 'x\ny'],
    ]),
  ).toBe('\uFEFF甲,"a,b"\r\n"说""渠""","x\ny"\r\n')
})

test('cells of a pasted table hold no tabs or line breaks', () => {
  expect(
    toTsv([
      ['甲\t乙', ' x\ny '],
      ['1', '2'],
    ]),
  ).toBe('甲 乙\tx y\n1\t2')
})

test('nothing becomes a formula of the spreadsheet, and numbers stay numbers', () => {
  for (const cell of ['=1+1', '+cmd', '-cmd|x', '@sum(a1)']) {
    expect(toCsv([[cell]])).toContain(`'${cell}`)
    expect(toTsv([[cell]])).toBe(`'${cell}`)
  }
  for (const cell of ['-5', '+3.2%', '-1,024.5']) expect(toTsv([[cell]])).toBe(cell)
})
