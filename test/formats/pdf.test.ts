import { expect, test } from 'vitest'
import { chinese, latin, makePdf, turned, vertical } from './make-pdf.ts'
import { read, readApart, textOf } from './read.ts'

const page = (...content: string[]) => ({ content: content.join('\n') })

test('a Chinese PDF without its fonts and character maps is read, each page with its number', async () => {
  const progress: [number, number][] = []
  const file = makePdf([page(chinese(72, 700, '问渠那得清如许')), page(chinese(72, 700, '为有源头活水来'))])
  const reading = await readApart(file, 'a.pdf', {
    onProgress: ({ done, total }) => progress.push([done, total]),
  })
  expect(reading.pieces).toEqual([
    { text: '问渠那得清如许', place: { page: 1 } },
    { text: '为有源头活水来', place: { page: 2 } },
  ])
  expect(reading.report).toMatchObject({ unit: 'page', total: 2, read: 2, blank: [], garble: 0 })
  expect(progress.at(-1)).toEqual([2, 2])
})

test('lines become paragraphs, larger type headings, and Chinese lines are joined without a space', async () => {
  const line = '这一行写满了整个版面的宽度一直到右边为止然后换到下一'
  const file = makePdf([
    page(
      chinese(72, 780, '第一章', 24),
      chinese(96, 740, line.slice(2)),
      chinese(72, 722, line),
      chinese(72, 704, '行结束。'),
      latin(72, 670, 'A line of Latin text that goes on to the right edge of the'),
      latin(72, 656, 'column.'),
    ),
  ])
  expect(textOf(await read(file, 'a.pdf'))).toBe(
    `# 第一章\n\n${line.slice(2)}${line}行结束。\n\nA line of Latin text that goes on to the right edge of the column.`,
  )
})

test('cells that stand below each other become a table', async () => {
  const rows = [
    ['姓名', '部门', '工资'],
    ['王小明', '研发部', '12000'],
    ['李红', '', '9800'],
    ['赵刚', '市场部', '10500'],
  ]
  const cells = rows.flatMap((row, line) =>
    row.map((cell, column) => (cell ? chinese(72 + column * 120, 700 - line * 20, cell) : '')),
  )
  const text = textOf(await read(makePdf([page(chinese(72, 760, '人员表如下：'), ...cells)]), 'a.pdf'))
  expect(text).toBe(
    '人员表如下：\n\n| 姓名 | 部门 | 工资 |\n| --- | --- | --- |\n| 王小明 | 研发部 | 12000 |\n| 李红 |  | 9800 |\n| 赵刚 | 市场部 | 10500 |',
  )
})

test('two columns of text are read one after the other, and are no table', async () => {
  const column = (x: number, name: string): string[] =>
    Array.from({ length: 6 }, (_, line) =>
      latin(x, 700 - line * 14, `${name} column line ${line} of running text`, 10),
    )
  const text = textOf(await read(makePdf([page(...column(60, 'left'), ...column(320, 'right'))]), 'a.pdf'))
  expect(text).not.toContain('|')
  expect(text.indexOf('left column line 5')).toBeLessThan(text.indexOf('right column line 0'))
})

test('cells of several lines stay in their row, whatever their order in the file', async () => {
  const cells = [
    chinese(72, 700, '项目', 10),
    chinese(160, 700, '旧规定', 10),
    chinese(300, 700, '新规定', 10),
    ...['第一条说明分为', '两行来写'].map((text, line) => chinese(160, 676 - line * 12, text, 10)),
    ...['新的说明也是', '两行的'].map((text, line) => chinese(300, 676 - line * 12, text, 10)),
    chinese(72, 670, '标准', 10),
    ...['第二条说明', '也有两行'].map((text, line) => chinese(160, 640 - line * 12, text, 10)),
    chinese(300, 640, '没有变化', 10),
    chinese(72, 634, '对象', 10),
  ]
  expect(textOf(await read(makePdf([page(...cells)]), 'a.pdf'))).toBe(
    '| 项目 | 旧规定 | 新规定 |\n| --- | --- | --- |\n| 标准 | 第一条说明分为两行来写 | 新的说明也是两行的 |\n| 对象 | 第二条说明也有两行 | 没有变化 |',
  )
})

test('a title that stands above its text is read first, wherever the file has it', async () => {
  const body = Array.from({ length: 4 }, (_, line) => latin(72, 700 - line * 40, `paragraph ${line}`))
  const text = textOf(await read(makePdf([page(...body, latin(72, 800, 'Title', 24))]), 'a.pdf'))
  expect(text).toBe('# Title\n\nparagraph 0\n\nparagraph 1\n\nparagraph 2\n\nparagraph 3')
})

test('type that was printed twice to look bold is read once', async () => {
  const twice = [chinese(72, 700, '重要通知'), chinese(72.4, 700, '重要通知'), latin(72, 650, 'll ok')]
  expect(textOf(await read(makePdf([page(...twice)]), 'a.pdf'))).toBe('重要通知\n\nll ok')
})

test('turned pages, turned text and vertical writing are read in their own order', async () => {
  const upright = [latin(100, 700, 'first line'), latin(100, 660, 'second line')]
  const file = makePdf([
    { content: upright.join('\n'), rotate: 90 },
    page(...upright, turned(40, 300, 'along the margin', 90)),
    page(vertical(500, 780, '右起第一行'), vertical(470, 780, '左边第二行')),
  ])
  expect((await read(file, 'a.pdf')).pieces.map(({ text }) => text)).toEqual([
    'first line\n\nsecond line',
    'first line\n\nsecond line\n\nalong the margin',
    '右起第一行\n\n左边第二行',
  ])
})

test('pages without text are reported by their numbers, and a scan is no error', async () => {
  const reading = await read(makePdf([page(latin(72, 700, 'text')), page(''), page('')]), 'a.pdf')
  expect(reading.report).toMatchObject({ total: 3, read: 3, blank: [2, 3] })
  const scan = await read(makePdf([page('')]), 'a.pdf')
  expect(scan).toMatchObject({ pieces: [], report: { blank: [1] } })
})

test('text without a meaning is reported as garbled', async () => {
  const reading = await read(makePdf([page(chinese(72, 700, '\uE001\uE002\uE003\uE004'))]), 'a.pdf')
  expect(reading.report.garbled).toEqual([1])
})

test('what was filled into a form is read', async () => {
  const field = '<</FT/Tx/T(name)/V(Wang)/Type/Annot/Subtype/Widget/Rect[0 0 100 20]/P 6 0 R>>'
  const file = makePdf([page(latin(72, 700, 'form'))], {
    root: '/AcroForm<</Fields[8 0 R]>>',
    objects: [field],
  })
  const withAnnotation = Buffer.from(file.toString('latin1').replace('/Rotate 0', '/Annots[8 0 R]'), 'latin1')
  expect(textOf(await read(withAnnotation, 'a.pdf'))).toContain('- name: Wang')
})

test('a PDF behind a password says so', async () => {
  const key = `<${'ab'.repeat(32)}>`
  const file = makePdf([page(latin(72, 700, 'secret'))], {
    trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O${key}/U${key}>>`,
  })
  await expect(readApart(file, 'a.pdf')).rejects.toMatchObject({ code: 'document_encrypted' })
})

test('a PDF that lost its end is read as far as it goes, and one that is none is damaged', async () => {
  const file = makePdf([page(latin(72, 700, 'still here'))])
  expect(textOf(await readApart(file.subarray(0, file.indexOf('xref')), 'a.pdf'))).toBe('still here')
  await expect(readApart('%PDF-1.7\nnothing', 'a.pdf')).rejects.toMatchObject({ code: 'document_damaged' })
})

/** Writes parts of a line after each other: a text, its size, how far it is raised, and the gap before it. */
function line(
  x: number,
  y: number,
  ...parts: [text: string, size?: number, raise?: number, gap?: number][]
): string {
  let at = x
  return parts
    .map(([text, size = 12, raise = 0, gap = 0]) => {
      at += gap
      const isChinese = /[^ -~]/.test(text)
      const written = (isChinese ? chinese : latin)(at, y + raise, text, size)
      at += isChinese ? text.length * size : widthOf(text) * size
      return written
    })
    .join('\n')
}

/** The widths of Helvetica that these tests use, as shares of its size. */
const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    if (/[\d$_]/.test(character)) return sum + 0.556
    if (/[A-Z]/.test(character)) return sum + 0.7
    if (/[ ,./[\]()\-ijlt]/.test(character)) return sum + 0.278
    return sum + 0.556
  }, 0)

test.each<[string, string, string]>([
  ['a power', line(72, 700, ['10'], ['6', 8, 4], [' cells']), '10⁶ cells'],
  ['a negative power', line(72, 700, ['1.5 x 10'], ['-3', 7, 4], [' kg']), '1.5 x 10⁻³ kg'],
  ['a chemical formula', line(72, 700, ['H'], ['2', 8, -2], ['O']), 'H₂O'],
  ['letters', line(72, 700, ['the 1'], ['st', 8, 4], [' of May']), 'the 1<sup>st</sup> of May'],
  ['a footnote', line(72, 700, ['研究表明'], ['[1]', 8, 5], ['有效']), '研究表明<sup>[1]</sup>有效'],
  [
    'an index and a power at once',
    line(72, 700, ['x'], ['2', 8, 5], ['1', 8, -3, -4.4], [' + y']),
    'x²₁ + y',
  ],
  ['the number of a footnote', line(72, 700, ['1', 8, 4], ['See below', 12, 0, 1]), '¹ See below'],
  ['text rise', 'BT /F1 12 Tf 72 700 Td (10) Tj 4 Ts (6) Tj 0 Ts ( cells) Tj ET', '10⁶ cells'],
  [
    'a power that the file has elsewhere',
    [latin(72, 700, 'x'), latin(72, 600, 'below'), latin(78.2, 705, '2', 8)].join('\n'),
    'x²\n\nbelow',
  ],
])('%s is read as a superscript or a subscript', async (_, content, text) => {
  expect(textOf(await read(makePdf([page(content)]), 'a.pdf'))).toBe(text)
})

test.each<[string, string, string]>([
  ['small type on the same base line', line(72, 700, ['T'], ['HE', 9], [' END']), 'THE END'],
  ['Latin of smaller size in Chinese', line(72, 700, ['共有'], ['35', 10], ['人']), '共有35人'],
  [
    'the text beside an initial',
    line(72, 700, ['T', 36], ['he first line of the text beside an initial', 12, 20]),
    'T\n\nhe first line of the text beside an initial',
  ],
  ['a fraction', line(72, 700, ['a = '], ['3', 8, 5, 3], ['4', 8, -4, -4.4]), 'a = 3/4'],
  ['a mixed number', line(72, 700, ['3'], ['1', 8, 5, 1], ['2', 8, -4, -4.4], [' cups']), '3 1/2 cups'],
  ['a fraction with a slanted line', line(72, 700, ['3'], ['1', 7, 4], ['/'], ['2', 7]), '3 1/2'],
  ['a word raised a little', line(72, 700, ['first'], ['second', 10, 3, 4]), 'first second'],
])('%s is no script', async (_, content, text) => {
  expect(textOf(await read(makePdf([page(content)]), 'a.pdf')).replace(/^#+ /, '')).toBe(text)
})

test.each<[string, string, string]>([
  [
    'pinyin',
    [line(72, 700, ['我在北京住']), line(97, 712, ['běi', 3.5]), line(108, 712, ['jīng', 3.5])].join('\n'),
    '我在北京（běi jīng）住',
  ],
  [
    'kana',
    [line(96, 712, ['とうきょう', 5]), line(72, 700, ['私は東京へ'])].join('\n'),
    '私は東京（とうきょう）へ',
  ],
])('a guide of %s above a line stands behind its characters', async (_, content, text) => {
  expect(textOf(await read(makePdf([page(content)]), 'a.pdf'))).toBe(text)
})

/** Makes a page of this content with annotations, which come before other objects of the file. */
const annotated = (content: string, annotations: string[], root = '', more: string[] = []): Buffer => {
  const file = makePdf([page(content)], { root, objects: [...annotations, ...more] })
  const list = annotations.map((_, index) => `${8 + index} 0 R`).join(' ')
  return Buffer.from(file.toString('latin1').replace('/Rotate 0', `/Annots[${list}]`), 'latin1')
}
const annotation = (subtype: string, entries: string): string =>
  `<</Type/Annot/Subtype/${subtype}/Rect[10 10 60 30]${entries}>>`
const widget = (type: string, entries: string): string => annotation('Widget', `/FT/${type}${entries}`)

test('comments and text boxes are read with their authors, and a stamp that only shows a picture is reported', async () => {
  const notes = [
    annotation('Text', '/T(Wang)/Contents(Please check\rthis <b>)'),
    annotation('FreeText', '/Contents(Paid)/DA(/Helv 12 Tf)'),
    annotation('Highlight', '/T(Li)/Contents(Why?)/QuadPoints[72 715 100 715 72 695 100 695]'),
    annotation('Popup', '/Parent 8 0 R'),
    annotation('Stamp', '/T(Li)'),
    annotation('Text', '/F 2/Contents(not shown)'),
  ]
  const reading = await read(annotated(latin(72, 700, 'body'), notes), 'a.pdf')
  expect(reading.pieces).toEqual([
    { text: 'body', place: { page: 1 } },
    {
      text: '> 批注（Wang）：Please check\n> this \\<b>\n\n> 批注：Paid\n\n> 批注（Li）：Why?\n\n> 批注：not shown',
      place: { page: 1 },
    },
  ])
  expect(reading.report.skipped.map(({ reason }) => reason)).toEqual(['picture', 'hidden'])
})

test('the fields of a form are read by their labels: text, choices and boxes', async () => {
  const states = '/AP<</N<</Yes 14 0 R/Off 14 0 R>>>>'
  const fields = [
    widget('Tx', '/T(f1)/TU(Your name)/V(Wang)'),
    widget('Tx', '/T(empty)'),
    widget('Ch', '/T(city)/V(bj)/Opt[[(bj)(Beijing)][(sh)(Shanghai)]]'),
    widget('Btn', `/T(agree)/V/Yes/AS/Yes${states}`),
    widget('Btn', `/T(mail)/V/Off/AS/Off${states}`),
    widget('Tx', '/T(code)/Ff 8192/V(secret)'),
  ]
  const file = annotated(
    latin(72, 700, 'form'),
    fields,
    '/AcroForm<</Fields[8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R]>>',
    ['<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 0>>stream\n\nendstream'],
  )
  expect((await read(file, 'a.pdf')).pieces[1]?.text).toBe(
    '- Your name: Wang\n- city: Beijing\n- agree: ☑\n- mail: ☐',
  )
})

test('a scanned page with a comment counts as one without text', async () => {
  const { report } = await read(annotated('', [annotation('Text', '/Contents(Nice picture)')]), 'a.pdf')
  expect(report.blank).toEqual([1])
})

const quad = (x: number, right: number, y: number): string =>
  `/QuadPoints[${x} ${y + 10} ${right} ${y + 10} ${x} ${y - 3} ${right} ${y - 3}]`

test('text that an annotation strikes out is marked, over the end of a line as well', async () => {
  const full = '这一行写满了整个版面的宽度一直到右边为止'
  const content = [
    chinese(72, 700, `${full}价格是`),
    chinese(72, 682, '五千三千元'),
    latin(72, 650, 'A line of Latin text that goes on to the right edge of the pop-'),
    latin(72, 636, 'ular column.'),
    latin(72, 600, 'old price new price'),
  ]
  const strikes = [
    annotation('StrikeOut', `/QuadPoints[312 710 348 710 312 697 348 697 72 692 96 692 72 679 96 679]`),
    annotation('StrikeOut', quad(72, 120, 600)),
    annotation('StrikeOut', quad(70, 420, 650)),
    annotation('StrikeOut', quad(70, 420, 636)),
    annotation('Underline', quad(72, 120, 600)),
  ]
  expect(textOf(await read(annotated(content.join('\n'), strikes), 'a.pdf'))).toBe(
    `${full}~~价格是五千~~三千元\n\n~~A line of Latin text that goes on to the right edge of the popular column.~~\n\n~~old price~~ new price`,
  )
})

test('links keep their addresses, unless the text is the address', async () => {
  const link = (x: number, right: number, y: number, url: string): string =>
    `<</Type/Annot/Subtype/Link/Rect[${x} ${y - 3} ${right} ${y + 10}]/A<</S/URI/URI(${url})>>>>`
  const file = annotated(
    [latin(72, 700, 'see the report here'), latin(72, 650, 'http://a.example/x')].join('\n'),
    [link(91, 152, 700, 'https://a.example/r\\(1\\)'), link(72, 180, 650, 'http://a.example/x')],
  )
  expect(textOf(await read(file, 'a.pdf'))).toBe(
    'see [the report](https://a.example/r%281%29) here\n\nhttp://a.example/x',
  )
})

test('attached files, hidden layers and forms in XML are reported', async () => {
  const root =
    '/Names<</EmbeddedFiles<</Names[(a)8 0 R]>>>>/OCProperties<</OCGs[10 0 R]/D<</OFF[10 0 R]>>>>/AcroForm<</Fields[]/XFA 11 0 R>>'
  const objects = [
    '<</Type/Filespec/F(data.csv)/EF<</F 9 0 R>>>>',
    '<</Length 3>>stream\na,b\nendstream',
    '<</Type/OCG/Name(Draft)>>',
    '<</Length 5>>stream\n<xdp>\nendstream',
  ]
  const { report } = await read(makePdf([page(latin(72, 700, 'text'))], { root, objects }), 'a.pdf')
  expect(report.skipped.map(({ what, reason }) => [what, reason])).toEqual([
    ['XFA 表单', 'unsupported'],
    ['附件 data.csv', 'unsupported'],
    ['图层 Draft', 'hidden'],
  ])
})

test('the pictures of a tagged document are read by their descriptions', async () => {
  const root = '/MarkInfo<</Marked true>>/StructTreeRoot 8 0 R'
  const objects = [
    '<</Type/StructTreeRoot/K[9 0 R]/ParentTree<</Nums[0[9 0 R]]>>>>',
    '<</Type/StructElem/S/Figure/P 8 0 R/Pg 6 0 R/K 0/Alt(A map [of China])>>',
  ]
  const file = makePdf([page(latin(72, 700, 'text'))], { root, objects })
  const tagged = Buffer.from(file.toString('latin1').replace('/Rotate 0', '/StructParents 0'), 'latin1')
  expect((await read(tagged, 'a.pdf')).pieces.map(({ text }) => text)).toEqual([
    'text',
    '![A map  of China ]()',
  ])
})

test('a form in XML is read in its order, with the values of its fields', async () => {
  const field = (name: string, y: number, ui: string, value: string, label: string): string =>
    `<field name="${name}" y="${y}mm" w="90mm" h="9mm"><ui>${ui}</ui><caption><value><text>${label}</text></value></caption>${value && `<value><text>${value}</text></value>`}</field>`
  const form = `<subform name="form" layout="tb"><pageSet><pageArea><contentArea w="200mm" h="280mm"/><medium short="210mm" long="297mm"/></pageArea></pageSet><subform name="page" w="200mm" h="280mm"><draw y="1mm" w="90mm" h="9mm"><value><text>Application</text></value></draw>${field('who', 20, '<textEdit/>', 'Wang', 'Name')}${field('note', 40, '<textEdit/>', '', 'Remarks')}</subform></subform>`
  const xdp = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">${form}</template></xdp:xdp>`
  const file = makePdf([page(latin(72, 700, 'Please wait'))], {
    root: '/NeedsRendering true/AcroForm<</Fields[]/XFA 8 0 R/DR<</Font<</F1 3 0 R>>>>>>',
    objects: [`<</Length ${xdp.length}>>stream\n${xdp}\nendstream`],
  })
  const reading = await read(file, 'a.pdf')
  expect([textOf(reading), reading.report.skipped]).toEqual(['Application\n\nName\n\n- Wang\n\nRemarks', []])
})

test.each([
  ['through the letters', 'q 72 703.4 58 0.8 re f Q', '~~5000 yuan~~ 3000 yuan'],
  ['through the letters, stroked', '0.8 w 72 703.8 m 130 703.8 l S', '~~5000 yuan~~ 3000 yuan'],
  ['below the letters', 'q 72 698 58 0.8 re f Q', '5000 yuan 3000 yuan'],
  ['far beyond the letters', 'q 20 703.4 500 0.8 re f Q', '5000 yuan 3000 yuan'],
])('a line that is drawn %s of a PDF', async (_, line, text) => {
  const content = `${latin(72, 700, '5000 yuan')} ${latin(140, 700, '3000 yuan')} ${line}`
  expect(textOf(await read(makePdf([{ content }]), 'a.pdf'))).toBe(text)
})

test('a radical that a font of a PDF has for a character is written as the character', async () => {
  const file = makePdf([page(chinese(72, 700, '下划线⽂字很⻓'))])
  expect(textOf(await read(file, 'a.pdf'))).toBe('下划线文字很长')
})

// ISO 32000-2, table 171, without those that have no text: links, pop-ups, marks for printers, pages, screens and watermarks.
test.each(
  'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink FileAttachment Sound Redact'.split(
    ' ',
  ),
)('what an annotation of the type %s says is read', async (type) => {
  const shape =
    '/QuadPoints[72 715 100 715 72 695 100 695]/Vertices[10 10 60 30]/L[10 10 60 30]/InkList[[10 10 60 30]]/DA(/Helv 12 Tf)'
  const file = annotated(latin(72, 700, 'page'), [annotation(type, `/Contents(words upon it)${shape}`)])
  expect(textOf(await read(file, 'a.pdf'))).toContain('words upon it')
})
