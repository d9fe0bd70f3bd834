import { expect, test } from 'vitest'
import { LIST_OVERRIDES, LISTS, makeDoc, makeLists, makeStyles, u16, u32 } from './make-doc.ts'
import type { DocParagraph, DocRun } from './make-doc.ts'
import { read, textOf } from './read.ts'

const paragraph = (...runs: DocRun[]): DocParagraph => ({ runs })
/** An item of a list by its place in the table of lists. */
const item = (text: string, level = 0, list = 1): DocParagraph => ({
  runs: [text],
  changes: `0a260${level}0b460${list}00`,
})

const STRUCK = '370801'
const RAISED = '482a01'
const LOWERED = '482a02'
const DELETED = '000801'
const HIDDEN = '3c0801'

test.each<[what: string, runs: DocRun[], expected: string]>([
  ['struck out', ['原价 ', ['100', STRUCK], ' 现价 80'], '原价 ~~100~~ 现价 80'],
  ['struck out twice', [['100', '532a01'], '元'], '~~100~~元'],
  ['raised', ['1.5×10', ['−3', RAISED], ' mol'], '1.5×10⁻³ mol'],
  ['lowered in two runs', ['C', ['1', LOWERED], ['2', `${LOWERED}350801`], 'H'], 'C₁₂H'],
  ['deleted', ['金额 ', ['100', DELETED], '200'], '金额 200'],
  ['a sign of a font', [['(', '096a010044f0'], '≤ 5'], 'Δ≤ 5'],
  ['a field with a result', ['共 \u0013 PAGE \u00143\u0015 页'], '共 3 页'],
  ['a field that is its own result', ['\u0013 EQ \\f(1,2) \u0015 杯'], '1/2 杯'],
  [
    'a field within the instruction of another',
    ['\u0013 IF \u0013 A \u0014x\u0015 = 1 \u0014是\u0015'],
    '是',
  ],
  ['a field that never ends', ['甲\u0013 乙'], '甲 乙'],
])('a run of an old Word document that is %s', async (_, runs, expected) => {
  const names = ['Arial', 'Symbol'].map((name) => {
    const font = Buffer.concat([Buffer.alloc(39), Buffer.from(`${name}\0`, 'utf16le')])
    return Buffer.concat([Buffer.from([font.length]), font])
  })
  const fonts = Buffer.concat([u16(names.length, 0), ...names])
  expect(textOf(await read(makeDoc({ body: [paragraph(...runs)] }, { 0x112: fonts }), 'a.doc'))).toBe(
    expected,
  )
})

test('hidden text of an old Word document is read and reported', async () => {
  const reading = await read(makeDoc({ body: [paragraph('报价 ', ['底价 80', HIDDEN])] }), 'a.doc')
  expect(textOf(reading)).toBe('报价 底价 80')
  expect(reading.report.skipped).toMatchObject([{ reason: 'hidden', what: '文字 底价 80' }])
})

const CHAPTERS = [
  { kind: 37, text: '第\0章' },
  { kind: 37, text: '（\u0001）' },
  { kind: 0, text: '\0.\u0001.\u0002', flags: 4 },
]

test.each<[what: string, levels: Parameters<typeof makeLists>[0], body: DocParagraph[], expected: string[]]>([
  [
    'Chinese, at several levels, which begin anew below each number',
    CHAPTERS,
    [item('甲'), item('子', 1), item('丑', 1), item('细', 2), item('乙'), item('寅', 1)],
    ['- 第一章 甲', '  - （一） 子', '  - （二） 丑', '    - 1.2.1 细', '- 第二章 乙', '  - （一） 寅'],
  ],
  ['Roman', [{ kind: 1, text: '\0.', start: 4 }], [item('甲'), item('乙')], ['- IV. 甲', '- V. 乙']],
  ['in circles', [{ kind: 18, text: '\0' }], [item('甲'), item('乙')], ['- ① 甲', '- ② 乙']],
  ['in digits', [{ kind: 0, text: '\0.' }], [item('甲'), item('乙')], ['1. 甲', '2. 乙']],
  ['bullets', [{ kind: 23, text: '\uF0B7' }], [item('甲')], ['- 甲']],
  ['no numbers but words', [{ kind: 255, text: '附件：' }], [item('甲')], ['- 附件： 甲']],
  [
    'never beginning anew',
    [
      { kind: 0, text: '\0.' },
      { kind: 0, text: '\u0001)', flags: 8, restart: 0 },
    ],
    [item('甲'), item('子', 1), item('乙'), item('丑', 1)],
    ['1. 甲', '  1) 子', '2. 乙', '  2) 丑'],
  ],
  [
    'going on in another use of the list, and beginning anew in a third',
    [{ kind: 0, text: '\0.' }],
    [item('甲'), item('乙', 0, 2), item('丙', 0, 3)],
    ['1. 甲', '2. 乙', '5. 丙'],
  ],
])('numbers of an old Word document that are %s', async (_, levels, body, expected) => {
  const file = makeDoc({ body }, makeLists(levels, [undefined, undefined, 5]))
  expect(textOf(await read(file, 'a.doc'))).toBe(expected.join('\n'))
})

test('headings of an old Word document have the numbers of their styles', async () => {
  const styles = makeStyles([
    { kind: 1, number: 0 },
    { kind: 1, number: 1, paragraph: '0b460100' },
    { kind: 1, number: 2, base: 1, paragraph: '0a2601' },
    { kind: 1, number: 4094, base: 1 },
    { kind: 1, number: 62, paragraph: '0b460000' },
    { kind: 1, number: 4095, character: STRUCK },
    { kind: 2, number: 4096, character: RAISED },
  ])
  const body: DocParagraph[] = [
    { runs: ['规程'], style: 4 },
    { runs: ['总则'], style: 1 },
    { runs: ['范围'], style: 2 },
    { runs: ['自定义'], style: 3 },
    { runs: ['旧 ', ['新', '370881']], style: 5 },
    { runs: ['m', ['2', '304a0600']] },
  ]
  const file = makeDoc({ body }, { ...makeLists(CHAPTERS), ...styles })
  expect(textOf(await read(file, 'a.doc'))).toBe(
    '# 规程\n\n## 第一章 总则\n\n### （一） 范围\n\n## 第二章 自定义\n\n~~旧~~ 新\n\nm²',
  )
})

test('headers, notes, comments and boxes of an old Word document stand where they belong', async () => {
  const stories = (...lengths: number[]): Buffer => {
    let at = 0
    return u32(0, ...lengths.map((length) => (at += length)), at + 1)
  }
  const box = Buffer.alloc(22)
  box.writeUInt32LE(1025, 14)
  const author = Buffer.concat([u16(2), Buffer.from('李红', 'utf16le')])
  const file = makeDoc(
    {
      body: [paragraph('正文\u0002，\u0002见图\u0008'), paragraph('后文\u0005')],
      footnotes: [paragraph('\u0002 脚注'), paragraph('')],
      headers: [paragraph('机密'), paragraph('机密'), paragraph('第页'), paragraph('')],
      comments: [paragraph('\u0005请核对'), paragraph('')],
      endnotes: [paragraph('\u0002 尾注'), paragraph('')],
      boxes: [paragraph('框里的字'), paragraph('')],
    },
    {
      0xaa: Buffer.concat([u32(2, 9), u16(1)]),
      0xb2: stories(5),
      0x20a: Buffer.concat([u32(4, 9), u16(1)]),
      0x212: stories(5),
      0xf2: stories(0, 0, 0, 0, 0, 0, 3, 3, 0, 3),
      0xba: Buffer.concat([u32(11, 12), Buffer.alloc(30)]),
      0xc2: stories(5),
      0x1ba: author,
      0x25a: Buffer.concat([stories(5), box, box]),
      0x1da: Buffer.concat([u32(7, 12), u32(1025), Buffer.alloc(22)]),
    },
  )
  expect(textOf(await read(file, 'a.doc'))).toBe(
    [
      '机密',
      '正文[^f1]，[^e1]见图',
      '框里的字',
      '后文',
      '第页',
      '[^f1]: 脚注',
      '[^e1]: 尾注',
      '> 批注（李红）：请核对',
    ].join('\n\n'),
  )
})

test('a box of an old Word document whose text holds its own anchor is read once', async () => {
  const box = Buffer.alloc(22)
  box.writeUInt32LE(7, 14)
  const file = makeDoc(
    { body: [paragraph('正文')], boxes: [paragraph('框里\u0008'), paragraph('')] },
    {
      0x25a: Buffer.concat([u32(0, 4, 5), box, Buffer.alloc(22)]),
      0x1da: Buffer.concat([u32(5, 8), u32(7), Buffer.alloc(22)]),
    },
  )
  expect(textOf(await read(file, 'a.doc'))).toBe('正文\n\n框里')
})

test('cells of an old Word document lie in the columns that the rows define, and boxes to check have their state', async () => {
  const IN_TABLE = '162401'
  const cell = (...runs: DocRun[]): DocParagraph => ({ runs, changes: IN_TABLE, end: '\u0007' })
  const row = (edges: number[], flags: number[]): DocParagraph => {
    const cells = Buffer.concat(flags.map((flag) => Buffer.concat([u16(flag), Buffer.alloc(18)])))
    const definition = Buffer.concat([Buffer.from([flags.length]), u16(...edges), cells])
    const operand = Buffer.concat([u16(definition.length + 1), definition]).toString('hex')
    return { runs: [], changes: `${IN_TABLE}17240108d6${operand}`, end: '\u0007' }
  }
  const form = Buffer.concat([
    Buffer.alloc(68),
    u32(0xffffffff),
    u16(1 | (1 << 2), 0, 1, 0x41, 0, 0),
    Buffer.alloc(40),
  ])
  const body = [
    cell('季度'),
    cell('收入'),
    row([0, 1000, 3000], [0, 0]),
    cell('一', '\u0013 FORMCHECKBOX ', ['\u0001', '036a00000000'], '\u0014\u0015'),
    cell('1'),
    cell('2'),
    row([0, 1000, 2000, 3000], [0x60, 0, 0]),
    cell(''),
    cell('3'),
    cell('4'),
    row([0, 1000, 2000, 3010], [0x20, 0, 0]),
  ]
  expect(textOf(await read(makeDoc({ body }, {}, form), 'a.doc'))).toBe(
    '| 季度 | 收入 | 收入 |\n| --- | --- | --- |\n| 一☑ | 1 | 2 |\n| 一☑ | 3 | 4 |',
  )
})

test('lists of an old Word document that claim more than there is end with the file', async () => {
  const tables = { [LISTS]: u16(0xffff), [LIST_OVERRIDES]: u32(0xffffffff) }
  expect(textOf(await read(makeDoc({ body: [item('甲')] }, tables), 'a.doc'))).toBe('- 甲')
})

test('streams of an old document are found in any case', async () => {
  const file = makeDoc({ body: [paragraph('甲')] }).toString('latin1')
  const name = Buffer.from('WordDocument', 'utf16le').toString('latin1')
  expect(textOf(await read(Buffer.from(file.replace(name, name.toUpperCase()), 'latin1'), 'a.doc'))).toBe(
    '甲',
  )
})
