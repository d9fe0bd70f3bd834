import { expect, test } from 'vitest'
import { makeCompoundFile } from './make-container.ts'
import { u16, u32 } from './make-doc.ts'
import { read } from './read.ts'

const record = (type: number, ...data: Buffer[]): Buffer => {
  const bytes = Buffer.concat(data)
  return Buffer.concat([u16(type, bytes.length), bytes])
}
const wide = (text: string): Buffer => Buffer.concat([Buffer.from([1]), Buffer.from(text, 'utf16le')])
const short = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), wide(text)])
const long = (text: string): Buffer => Buffer.concat([u16(text.length), wide(text)])
const BOF = record(0x809, u16(0x600, 0x10), Buffer.alloc(12))
const EOF = record(0x0a)

const font = (flags: number, script: number, name = 'Arial'): Buffer =>
  record(0x31, u16(200, flags, 0, 400, script), Buffer.alloc(4), short(name))
const format = (fontNumber: number, code: number): Buffer =>
  record(0xe0, u16(fontNumber, code), Buffer.alloc(16))
const label = (row: number, column: number, style: number, index: number): Buffer =>
  record(0xfd, u16(row, column, style), u32(index))
const number = (row: number, column: number, style: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return record(0x203, u16(row, column, style), bytes)
}
const object = (kind: number, id: number): Buffer => record(0x5d, u16(0x15, 0x12, kind, id), Buffer.alloc(14))
const box = (text: string): Buffer =>
  Buffer.concat([
    record(0x1b6, Buffer.alloc(10), u16(text.length, 0), Buffer.alloc(4)),
    record(0x3c, wide(text)),
  ])

/** Makes a workbook whose sheets have these records; the second is hidden. */
function makeXls(globals: Buffer[], sheets: { name: string; records: Buffer[] }[]): Buffer {
  const bodies = sheets.map(({ records }) => Buffer.concat([BOF, ...records, EOF]))
  const bound = (offsets: number[]): Buffer[] =>
    sheets.map(({ name }, index) =>
      record(0x85, u32(offsets[index] ?? 0), Buffer.from([index === 1 ? 1 : 0, 0]), short(name)),
    )
  const build = (offsets: number[]): Buffer => Buffer.concat([BOF, ...globals, ...bound(offsets), EOF])
  let at = build([]).length
  const offsets = bodies.map((body) => {
    at += body.length
    return at - body.length
  })
  return makeCompoundFile({ Workbook: Buffer.concat([build(offsets), ...bodies]) })
}

test('an old workbook keeps marks, formats, comments, boxes, charts, headers and what is hidden', async () => {
  const rich = Buffer.concat([u16(3), Buffer.from([9]), u16(1), Buffer.from('m2x', 'utf16le'), u16(1, 5)])
  const plain = (text: string): Buffer => long(text)
  const globals = [
    font(0, 0),
    font(8, 0),
    font(0, 1),
    font(0, 0, 'Symbol'),
    font(0, 1),
    record(0x41e, u16(164), long('#,##0.00"元"')),
    format(0, 0),
    format(1, 0),
    format(2, 0),
    format(3, 0),
    format(0, 164),
    format(1, 164),
    record(0xfc, u32(5, 5), plain('项目'), plain('作废'), plain('6'), plain('D'), rich),
  ]
  const first = [
    record(0x208, u16(1, 0, 2, 0, 0, 0, 0x20, 0)),
    label(0, 0, 0, 0),
    label(0, 1, 1, 1),
    label(0, 2, 3, 3),
    label(1, 0, 0, 4),
    number(1, 1, 4, 1234.5),
    number(1, 2, 5, 9.25),
    record(0x14, long('&L机密&R第&P页')),
    record(0x15, long('&C&P')),
    object(25, 7),
    box('请核对'),
    object(6, 8),
    box('框里的字'),
    object(8, 9),
    record(0x1c, u16(1, 1, 0, 7), long('李红')),
    object(5, 10),
    BOF,
    record(0x100d, u16(0), short('季度收入')),
    EOF,
  ]
  const reading = await read(
    makeXls(globals, [
      { name: '甲', records: first },
      { name: '乙', records: [] },
    ]),
    'a.xls',
  )
  expect(reading.pieces).toEqual([
    {
      text: '## 甲\n\n| 项目 | ~~作废~~ | Δ |\n| --- | --- | --- |\n| m<sup>2x</sup> | 1,234.50元 | ~~9.25元~~ |',
      place: { sheet: '甲', range: 'A1:C2' },
    },
    { text: '> 批注 B2：请核对', place: { sheet: '甲', range: 'B2' } },
    { text: '框里的字', place: { sheet: '甲' } },
    { text: '图表：季度收入', place: { sheet: '甲' } },
    { text: '页眉：机密 第页', place: { sheet: '甲' } },
    { text: '## 乙（隐藏的工作表）', place: { sheet: '乙' } },
  ])
  expect(reading.report.skipped.map(({ reason, what }) => `${reason} ${what}`)).toEqual([
    'hidden 第 2 行',
    'picture 甲',
    'hidden 工作表 乙',
  ])
})

test('a workbook from before Unicode is read in its code page, rare Korean syllables too', async () => {
  const bof = record(0x809, u16(0x500, 0x10, 0, 0))
  const globals = (offset: number): Buffer =>
    Buffer.concat([
      bof,
      record(0x42, u16(949)),
      record(0x85, u32(offset), Buffer.from([0, 0, 2, 0x8c, 0x63])),
      EOF,
    ])
  const label = record(0x204, u16(0, 0, 0, 4), Buffer.from('8c63b0a1', 'hex'))
  const book = Buffer.concat([globals(globals(0).length), bof, label, EOF])
  expect((await read(makeCompoundFile({ Book: book }), 'a.xls')).pieces).toMatchObject([
    { text: '## 똠\n\n똠가', place: { sheet: '똠' } },
  ])
})
