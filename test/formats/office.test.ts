import { expect, test } from 'vitest'
import { makeZip } from './make-container.ts'
import { cell, makeDocx, makePptx, makeXlsx, P, paragraph, relations, shape, W } from './make-office.ts'
import { read, textOf } from './read.ts'

test('a Word document keeps headings, numbered lists, links, looks and equations, and drops what was deleted', async () => {
  const list = (level: number): string => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="5"/></w:numPr>`
  const body = [
    paragraph('总则', '<w:pStyle w:val="a"/>'),
    '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>重</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>要</w:t></w:r><w:del><w:r><w:t>删掉的</w:t></w:r></w:del><w:hyperlink r:id="l"><w:r><w:t>链接</w:t></w:r></w:hyperlink></w:p>',
    paragraph('甲', list(0)),
    paragraph('子', list(1)),
    paragraph('丑', list(1)),
    paragraph('乙', list(0)),
    '<w:p><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></w:p>',
  ].join('')
  const reading = await read(makeDocx(body, {}, [['l', 'hyperlink', 'https://example.com/', true]]), 'a.docx')
  expect(textOf(reading)).toBe(
    '## 总则\n\n**重要**[链接](https://example.com/)\n\n- 第一章 甲\n  1. 子\n  2. 丑\n- 第二章 乙\n\n$$\\frac{a}{2}$$',
  )
  expect(reading).toMatchObject({ format: 'docx', title: '总则', pieces: [{ place: { heading: ['总则'] } }] })
})

/** Makes the numbers of a Word document: one level, and what a list changes of it. */
const numbers = (level: string, changes = ''): string =>
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">${level}</w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/>${changes}</w:num></w:numbering>`
const DECIMAL = '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'

test.each<[what: string, body: string, numbering: string, text: string]>([
  ...['8', '9', '-1', '0.5', 'x', '99999999999'].map((level): [string, string, string, string] => [
    `a list that changes the level ${level}`,
    paragraph('甲', '<w:pStyle w:val="z"/><w:numPr><w:numId w:val="5"/></w:numPr>'),
    numbers(DECIMAL, `<w:lvlOverride w:ilvl="${level}"><w:lvl>${DECIMAL}</w:lvl></w:lvlOverride>`),
    '1. 甲',
  ]),
  [
    'an item at the level -1',
    paragraph('甲', '<w:numPr><w:ilvl w:val="-1"/><w:numId w:val="5"/></w:numPr>'),
    numbers(DECIMAL),
    '- 甲',
  ],
  ...['1.5', '99999999999'].flatMap((start) =>
    ['decimalEnclosedParen', 'decimalEnclosedCircle', 'lowerLetter'].map(
      (format): [string, string, string, string] => [
        `a list of the kind ${format} from ${start}`,
        paragraph('甲', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr>'),
        numbers(`<w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1:"/>`),
        `- ${start}: 甲`,
      ],
    ),
  ),
  ...['constructor', '__proto__'].map((format): [string, string, string, string] => [
    `a list of the kind ${format}`,
    paragraph('甲', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr>'),
    numbers(`<w:start w:val="7"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1:"/>`),
    '- 7: 甲',
  ]),
  ...['FFFFFF', '-1', '110000'].map((code): [string, string, string, string] => [
    `the character ${code}`,
    `<w:p><w:r><w:sym w:font="Symbol" w:char="${code}"/><w:t>甲</w:t></w:r></w:p>`,
    '',
    '甲',
  ]),
  [
    'a field with a character that there is not',
    '<w:p><w:fldSimple w:instr=" SYMBOL 99999999 "/><w:r><w:t>甲</w:t></w:r></w:p>',
    '',
    '甲',
  ],
])('a Word document with %s is read', async (_, body, numbering, text) => {
  expect(textOf(await read(makeDocx(body, { 'word/numbering.xml': numbering }), 'a.docx'))).toBe(text)
})

test('merged cells of a Word table are repeated in each place that they cover', async () => {
  const table = `<w:tbl><w:tr>${cell('甲', '<w:gridSpan w:val="2"/>')}${cell('乙')}</w:tr><w:tr>${cell('左', '<w:vMerge w:val="restart"/>')}${cell('1')}${cell('2')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('3')}${cell('a|b')}</w:tr></w:tbl>`
  expect(textOf(await read(makeDocx(table), 'a.docx'))).toBe(
    '| 甲 | 甲 | 乙 |\n| --- | --- | --- |\n| 左 | 1 | 2 |\n| 左 | 3 | a\\|b |',
  )
})

test('text boxes, footnotes, headers and comments of a Word document are read once', async () => {
  const box = `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice><w:drawing><w:txbxContent>${paragraph('框里的字')}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${paragraph('框里的字')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
  const body = `${box}<w:p><w:r><w:t>正文</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`
  const reading = await read(
    makeDocx(
      body,
      {
        'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${paragraph('脚注')}</w:footnote></w:footnotes>`,
        'word/comments.xml': `<w:comments ${W}><w:comment w:id="1" w:author="李红">${paragraph('请核对')}</w:comment></w:comments>`,
        'word/header1.xml': `<w:hdr ${W}>${paragraph('公司内部资料')}</w:hdr>`,
      },
      [
        ['f', 'footnotes', 'footnotes.xml'],
        ['c', 'comments', 'comments.xml'],
        ['h', 'header', 'header1.xml'],
      ],
    ),
    'a.docx',
  )
  expect(textOf(reading)).toBe(
    '公司内部资料\n\n框里的字\n\n正文[^f2]\n\n[^f2]: 脚注\n\n> 批注（李红）：请核对',
  )
})

test('a link in a note or a comment of a Word document leads where the part that it stands in says', async () => {
  const link = '<w:p><w:hyperlink r:id="l"><w:r><w:t>链接</w:t></w:r></w:hyperlink></w:p>'
  const links = (name: string): Record<string, string> => ({
    [`word/_rels/${name}.xml.rels`]: relations([['l', 'hyperlink', `https://${name}.example`, true]]),
  })
  const file = makeDocx(
    link,
    {
      ...links('footnotes'),
      ...links('comments'),
      'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${link}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments ${W}><w:comment w:author="李红">${link}</w:comment></w:comments>`,
      'word/endnotes.xml': `<w:endnotes ${W}><w:endnote w:id="3">${link}</w:endnote></w:endnotes>`,
    },
    [
      ['l', 'hyperlink', 'https://main.example', true],
      ['f', 'footnotes', 'footnotes.xml'],
      ['e', 'endnotes', 'endnotes.xml'],
      ['c', 'comments', 'comments.xml'],
    ],
  )
  expect(textOf(await read(file, 'a.docx'))).toBe(
    '[链接](https://main.example)\n\n[^f2]: [链接](https://footnotes.example)\n\n[^e3]: 链接\n\n> 批注（李红）：[链接](https://comments.example)',
  )
})

test('a workbook keeps its sheets, ranges, dates, percentages, results of formulas and merged cells', async () => {
  const reading = await read(
    makeXlsx({
      明细: `<sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row><row r="3"><c r="B3" s="1"><v>45658</v></c><c r="C3"><v>0.30000000000000004</v></c></row><row r="4"><c r="B4" t="s"><v>2</v></c><c r="C4"><f>SUM(C3)</f><v>0.3</v></c></row><row r="7"><c r="A7" t="inlineStr"><is><t>甲 &lt;b&gt;</t></is></c><c r="B7" s="2"><v>0.125</v></c></row><row r="8"><c r="B8" t="b"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A7:A8"/></mergeCells>`,
      空表: '<sheetData/>',
    }),
    'a.xlsx',
  )
  expect(reading.pieces).toEqual([
    {
      text: '## 明细\n\n| 日期 | 金额 |\n| --- | --- |\n| 2025-01-01 | 0.3 |\n| 合计 | 0.3 |',
      place: { sheet: '明细', range: 'B2:C4' },
    },
    {
      text: '| 甲 \\<b> | 12.50% |\n| --- | --- |\n| 甲 \\<b> | TRUE |',
      place: { sheet: '明细', range: 'A7:B8' },
    },
    { text: '## 空表', place: { sheet: '空表' } },
  ])
  expect(reading.report).toMatchObject({ unit: 'sheet', total: 2, read: 2 })
})

test('a formula stands in for a result that was not calculated, not for one that is empty', async () => {
  const cells =
    '<c r="A1"><f>1+1</f></c><c r="B1" t="str"><f>IF(A1="","",A1)</f><v></v></c><c r="C1" t="str"><f>T(A1)</f><v>甲</v></c>'
  const reading = await read(makeXlsx({ 表: `<sheetData><row r="1">${cells}</row></sheetData>` }), 'a.xlsx')
  expect(textOf(reading)).toContain('| =1+1 |  | 甲 |')
})

test('a cell at the far end of a sheet costs nothing', async () => {
  const cells =
    '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="A1048576"><v>3</v></c></row>'
  const reading = await read(makeXlsx({ 表: `<sheetData>${cells}</sheetData>` }), 'a.xlsx')
  expect(reading.report.skipped).toMatchObject([{ reason: 'limit', what: 'ALM1:XFD1' }])
  expect(textOf(reading).length).toBeLessThan(10_000)
})

test('slides are read in their order, with titles, tables, charts and notes', async () => {
  const table =
    '<p:graphicFrame><a:graphic><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>合</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc><a:tc/></a:tr></a:tbl></a:graphic></p:graphicFrame>'
  const point = (index: number, value: string): string => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`
  const chart = `<c:chartSpace ${P}><c:chart><c:title><a:p><a:r><a:t>季度收入</a:t></a:r></a:p></c:title><c:plotArea><c:barChart><c:ser><c:tx>${point(0, '收入')}</c:tx><c:cat>${point(0, '一季度')}${point(1, '二季度')}</c:cat><c:val>${point(0, '1')}${point(1, '2.5')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
  const first =
    shape('甲\n乙', '<p:ph idx="1"/>') +
    shape('标题', '<p:ph type="title"/>') +
    shape('1', '<p:ph type="sldNum"/>')
  const second = `${table}<p:graphicFrame><a:graphic><c:chart r:id="c"/></a:graphic></p:graphicFrame>`
  const file = makePptx([first, second], {
    'ppt/slides/_rels/slide1.xml.rels': relations([['c', 'chart', '../charts/chart1.xml']]),
    'ppt/slides/_rels/slide2.xml.rels': relations([['n', 'notesSlide', '../notesSlides/notesSlide1.xml']]),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${P}><p:cSld><p:spTree>${shape('讲到这里停一下', '<p:ph type="body"/>')}</p:spTree></p:cSld></p:notes>`,
    'ppt/charts/chart1.xml': chart,
  })
  const reading = await read(file, 'a.pptx')
  expect(reading.pieces).toEqual([
    { text: '# 标题\n\n- 甲\n- 乙\n\n> 备注：讲到这里停一下', place: { slide: 1 } },
    {
      text: '| 合 | 合 |\n| --- | --- |\n| 1 |  |\n\n**季度收入**\n\n|  | 收入 |\n| --- | --- |\n| 一季度 | 1 |\n| 二季度 | 2.5 |',
      place: { slide: 2 },
    },
  ])
})

/** Makes a paragraph of a slide at a level; without a kind of number it has a bullet, and with `none` neither. */
const item = (text: string, level: number, kind = ''): string => {
  const number = kind ? `<a:buAutoNum type="${kind}"/>` : '<a:buChar char="•"/>'
  return `<a:p><a:pPr lvl="${level}">${kind === 'none' ? '<a:buNone/>' : number}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`
}
const KIND = 'arabicPeriod'

test.each<[what: string, paragraphs: string[], text: string]>([
  [
    'begin anew below another bullet',
    [
      item('Chapter', 0),
      ...['one', 'two', 'three'].map((text) => item(text, 1, KIND)),
      item('Next', 0),
      item('one', 1, KIND),
    ],
    '- Chapter\n  1. one\n  2. two\n  3. three\n- Next\n  1. one',
  ],
  [
    'begin anew behind a bullet between them',
    [item('one', 0, KIND), item('Bullet', 0), item('one', 0, KIND)],
    '1. one\n- Bullet\n1. one',
  ],
  [
    'go on behind what stands deeper',
    [
      item('one', 0, KIND),
      item('Bullet', 1),
      item('two', 0, KIND),
      item('Words', 1, 'none'),
      item('three', 0, KIND),
    ],
    '1. one\n  - Bullet\n2. two\n\nWords\n\n3. three',
  ],
  [
    'begin anew behind words without a bullet',
    [item('one', 0, KIND), item('Words', 0, 'none'), item('one', 0, KIND)],
    '1. one\n\nWords\n\n1. one',
  ],
  ['are read at the level -1 too', [item('one', -1, KIND), item('two', -1, KIND)], '1. one\n2. two'],
  [
    'are written as their kind says',
    [item('one', 0, 'alphaLcParenBoth'), item('two', 0, 'alphaLcParenBoth')],
    '- (a) one\n- (b) two',
  ],
])('numbers of a list on a slide %s', async (_, paragraphs, text) => {
  const slide = `<p:sp><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`
  expect(textOf(await read(makePptx([slide]), 'a.pptx'))).toBe(text)
})

test('a layout and a master that slides share are unpacked once', async () => {
  const part = (name: string, text: string): string =>
    `<p:${name} ${P}><p:cSld><p:spTree>${shape(text)}</p:spTree></p:cSld><!--${'x'.repeat(20_000)}--></p:${name}>`
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  const file = makePptx(
    numbers.map((number) => shape(`第 ${number} 页`)),
    {
      ...Object.fromEntries(
        numbers.map((number) => [
          `ppt/slides/_rels/slide${number}.xml.rels`,
          relations([['l', 'slideLayout', `../slideLayouts/slideLayout${number % 2}.xml`]]),
        ]),
      ),
      ...Object.fromEntries(
        [0, 1].flatMap((number) => [
          [`ppt/slideLayouts/slideLayout${number}.xml`, part('sldLayout', `版式 ${number}`)],
          [
            `ppt/slideLayouts/_rels/slideLayout${number}.xml.rels`,
            relations([['m', 'slideMaster', '../slideMasters/slideMaster1.xml']]),
          ],
        ]),
      ),
      'ppt/slideMasters/slideMaster1.xml': part('sldMaster', '母版'),
    },
  )
  const reading = await read(file, 'a.pptx', { limits: { inflated_bytes: 100_000 } })
  expect(reading.pieces.slice(0, 3).map(({ text }) => text)).toEqual([
    '第 1 页\n\n版式 0\n\n母版',
    '第 2 页\n\n版式 1',
    '第 3 页',
  ])
})

const O =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
const odfContent = (kind: string, body: string): string =>
  `<office:document-content ${O}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`
const makeOdf = (kind: string, body: string, parts: Record<string, string> = {}): Buffer =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': odfContent(kind, body),
    ...parts,
  })

test('OpenDocument texts, sheets and slides are read', async () => {
  const text = makeOdf(
    'text',
    '<text:h text:outline-level="1">章</text:h><text:p>甲<text:s text:c="2"/>乙<text:line-break/>丙</text:p><text:list><text:list-item><text:p>项</text:p></text:list-item></text:list>',
  )
  expect(textOf(await read(text, 'a.odt'))).toBe('## 章\n\n甲  乙\n丙\n\n- 项')
  const cells =
    '<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>合</text:p></table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
  const sheet = await read(
    makeOdf('spreadsheet', `<table:table table:name="表">${cells}</table:table>`),
    'a.ods',
  )
  expect(sheet.pieces).toEqual([
    { text: '## 表\n\n| 合 | 合 |\n| --- | --- |\n| 1 |  |', place: { sheet: '表', range: 'A1:B2' } },
  ])
  const slides = makeOdf(
    'presentation',
    '<draw:page><draw:frame><draw:text-box><text:p>内容</text:p></draw:text-box></draw:frame><draw:frame presentation:class="title"><draw:text-box><text:p>题</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>注</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>',
  )
  expect((await read(slides, 'a.odp')).pieces).toEqual([
    { text: '# 题\n\n内容\n\n> 备注：注', place: { slide: 1 } },
  ])
})

const note = '<office:annotation><text:p>请核对</text:p></office:annotation>'
const framed = (inner: string): string => `<draw:frame><draw:text-box>${inner}</draw:text-box></draw:frame>`
const object = (path: string): string => `<draw:frame><draw:object xlink:href="${path}"/></draw:frame>`

test.each<[what: string, kind: string, body: string, text: string]>([
  [
    'the number of an item, where the file has it',
    'text',
    '<text:list><text:list-item><text:number>1.</text:number><text:p>one</text:p></text:list-item></text:list>',
    '1. one',
  ],
  [
    'an item without a text',
    'text',
    '<text:list><text:list-item><text:number>1.</text:number></text:list-item><text:list-item><text:number>2.</text:number><text:p>two</text:p></text:list-item></text:list>',
    '1.\n2. two',
  ],
  ['a comment', 'text', `<text:p>甲<text:span>${note}</text:span></text:p>`, '甲\n\n> 批注：请核对'],
  [
    'a comment within a frame',
    'text',
    `<text:p>甲${framed(`<text:p>乙${note}</text:p>`)}</text:p>`,
    '甲\n\n乙\n\n> 批注：请核对',
  ],
  [
    'a comment within a table in a frame',
    'text',
    `<text:p>甲${framed(`<table:table><table:table-row><table:table-cell><text:p>乙${note}</text:p></table:table-cell></table:table-row></table:table>`)}</text:p>`,
    '甲\n\n| 乙<br>> 批注：请核对 |\n| --- |',
  ],
  [
    'a comment upon a cell, and one in its text',
    'spreadsheet',
    `<table:table table:name="表"><table:table-row><table:table-cell>${note}<text:p>甲</text:p></table:table-cell><table:table-cell><text:p>乙${note.replace('请核对', '对')}</text:p></table:table-cell></table:table-row></table:table>`,
    '## 表\n\n| 甲 | 乙<br>> 批注：对 |\n| --- | --- |\n\n> 批注：请核对',
  ],
  ['an object that is in itself', 'text', `<text:p>甲${object('./一')}</text:p>`, '甲\n\n乙'],
  ['an object that is the document', 'text', `<text:p>甲${object('.')}</text:p>`, '甲'],
  ['an object that is there twice', 'text', object('./二') + object('./二'), '丙\n\n丙'],
])('OpenDocument: %s is read once', async (_, kind, body, text) => {
  const file = makeOdf(kind, body, {
    '一/content.xml': odfContent('text', `<text:p>乙${object('一')}</text:p>`),
    '二/content.xml': odfContent('text', '<text:p>丙</text:p>'),
  })
  expect(textOf(await read(file, 'a.od'))).toBe(text)
})

test('the picture of a master is reported once, whatever number of slides have it', async () => {
  const masters = ['甲', '乙'].map(
    (name) =>
      `<style:master-page style:name="${name}"><draw:frame><draw:image/><svg:title>标志${name}</svg:title></draw:frame><draw:frame><draw:text-box><text:p>公司</text:p></draw:text-box></draw:frame></style:master-page>`,
  )
  const pages = ['甲', '甲', '乙', '甲', '乙'].map(
    (name) => `<draw:page draw:master-page-name="${name}"><text:p>页</text:p></draw:page>`,
  )
  const file = makeOdf('presentation', pages.join(''), {
    'styles.xml': `<office:document-styles ${O} xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"><office:master-styles>${masters.join('')}</office:master-styles></office:document-styles>`,
  })
  const reading = await read(file, 'a.odp')
  expect(reading.report.skipped.map(({ what }) => what)).toEqual(['标志甲', '标志乙'])
  expect(textOf(reading).match(/公司/g)).toHaveLength(1)
})

test('a book is read in the order of its spine', async () => {
  const file = makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package xmlns:dc="x"><metadata><dc:title>书名</dc:title></metadata><manifest><item id="a" href="a%20b.xhtml"/><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/><itemref idref="a"/></spine></package>',
    'OPS/a b.xhtml': '<html><body><h1>第二章</h1><p>后</p></body></html>',
    'OPS/c.xhtml': '<html><body><h1>第一章</h1><p>先</p></body></html>',
  })
  const reading = await read(file, 'a.epub')
  expect(reading).toMatchObject({ title: '书名', report: { total: 2, read: 2 } })
  expect(textOf(reading)).toBe('# 第一章\n\n先\n\n# 第二章\n\n后')
})

test('rich text keeps Chinese of either spelling, lists and tables', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset134 SimSun;}{\f1\fcharset0 Arial;}}{\info{\title x}}\f0\uc1 \'ce\'ca\'c7\'fe \u28165?\par {\f1 caf\'e9}\par\trowd\intbl a\cell b\cell\row\intbl \{1\}\cell 2\cell\row\pard{\pict 0102}\outlinelevel0 end\par}`
  const reading = await read(rtf, 'a.rtf')
  expect(textOf(reading)).toBe('问渠 清\n\ncafé\n\n| a | b |\n| --- | --- |\n| {1} | 2 |\n\n## end')
  expect(reading.report.skipped).toMatchObject([{ reason: 'picture' }])
})
