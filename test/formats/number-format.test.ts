import { expect, test } from 'vitest'
import { formatCellNumber } from '#server/formats/xlsx/number-format.ts'

const ACCOUNTING = '_ "¥"* #,##0.00_ ;_ "¥"* -#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ '

test.each<[code: string, value: string, shown: string]>([
  ['0.00%', '0.125', '12.50%'],
  ['#,##0.00', '1234.5', '1,234.50'],
  ['#,##0.00_);(#,##0.00)', '-1234.5', '(1,234.50)'],
  ['[$¥-804]#,##0.00', '1234.5', '¥1,234.50'],
  [ACCOUNTING, '1234.5', '¥1,234.50'],
  ['"第"0"章"', '3', '第3章'],
  ['00000', '42', '00042'],
  ['0\\.0000"万"', '12345', '1.2345万'],
  ['General"元"', '5.5', '5.5元'],
  ['0!.0000"万"', '12345', '1.2345万'],
  ['0"箱"', '3', '3箱'],
  ['"¥"#,##0.00', '56701.0309', '¥56,701.03'],
  ['000-0000-0000', '13800138000', '138-0013-8000'],
])('%s is shown as in the cell: %s', (code, value, shown) => {
  expect(formatCellNumber(value, code)).toBe(shown)
})

test.each<[code: string, value: string, kept: string]>([
  ['0', '12.6', '12.6'],
  ['0%', '0.0485', '4.85%'],
  ['General', '123456789012345', '123456789012345'],
  ['', '0.30000000000000004', '0.3'],
  ['#,##0.00;[Red]#,##0.00', '-5', '-5'],
  [ACCOUNTING, '0', '0'],
  [';;;', '5', '5'],
  ['"half a text', '5', '5'],
  ['constructor', '5', '5'],
  ['0'.repeat(300), '5', '5'],
  ['0.00', '1.8e308', '1.8e308'],
  ['0.000000000', '1.94e-7', '1.94e-7'],
  ['0.0,,', '0.77', '0.77'],
])('no digit and no sign is lost to %s: %s', (code, value, kept) => {
  expect(formatCellNumber(value, code)).toBe(kept)
})

test.each<[code: string, value: string, shown: string]>([
  ['#,##0,', '1000000', '1,000'],
  ['#,##0,', '1234567', '1,234.567'],
  ['#,##0,', '499', '0.499'],
  ['#,##0.00,', '1234567', '1,234.567'],
  ['#,##0.00,', '1004', '1.004'],
  ['#,##0,;[Red]#,##0,', '-1234567', '-1,234.567'],
  ['0!.0,', '12000', '1.2'],
  ['0!.0,', '12345', '1.2345'],
  ['0!.0,', '5', '0.0005'],
  ['0.0,"k"', '12345', '12.345k'],
  ['[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', '12345', '12.345K'],
  ['[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', '12.6', '12.6'],
])(
  'all numbers of a column in the scale of %s are in that scale, with their digits: %s',
  (code, value, shown) => {
    expect(formatCellNumber(value, code)).toBe(shown)
  },
)

test.each<[code: string, value: string, shown: string]>([
  ['yyyy"年"m"月"d"日"', '45658', '2025-01-01'],
  ['[$-804]yyyy"年"m"月"d"日";@', '45658', '2025-01-01'],
  ['m/d/yy h:mm', '45658.75', '2025-01-01 18:00'],
  ['mmm-yy', '45658', '2025-01'],
  ['yyyy"年"', '45658', '2025'],
  ['aaaa', '45658', '2025-01-01'],
  ['h:mm AM/PM', '0.75', '18:00'],
  ['mm:ss.0', '0.0015', '00:02:10'],
  ['[h]:mm:ss', '1.5', '36:00:00'],
  ['[mm]:ss', '1.5', '36:00:00'],
  ['yyyy-mm-dd', '-5', '-5'],
  ['yyyy-mm-dd', '3000000', '3000000'],
])('a date of %s has one form: %s', (code, value, shown) => {
  expect(formatCellNumber(value, code)).toBe(shown)
})

test('days of workbooks that count from 1904 are the same days, spans of time the same spans', () => {
  expect(formatCellNumber('44196', 'yyyy-mm-dd', true)).toBe('2025-01-01')
  expect(formatCellNumber('1.5', '[h]:mm', true)).toBe('36:00')
})
