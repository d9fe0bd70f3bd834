import { expect, test } from 'vitest'
import { formatField } from '#server/formats/docx/fields.ts'
import { formatNumber } from '#server/formats/text/numbers.ts'
import { makeZip } from './make-container.ts'
import { makeDocx, makePptx, makeXlsx, paragraph, relations, W } from './make-office.ts'
import { read, textOf } from './read.ts'

const run = (text: string, properties: string): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const raised = (text: string): string => run(text, '<w:vertAlign w:val="superscript"/>')
const guided = (base: string, reading: string): string =>
  `<w:r><w:ruby><w:rt><w:r><w:t>${reading}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`

test.each<[what: string, runs: string, text: string]>([
  ['a superscript', `<w:r><w:t>10</w:t></w:r>${raised('6')}`, '10⁶'],
  ['a negative exponent', `<w:r><w:t>10</w:t></w:r>${raised('-3')}`, '10⁻³'],
  [
    'a subscript',
    `<w:r><w:t>H</w:t></w:r>${run('2', '<w:vertAlign w:val="subscript"/>')}<w:r><w:t>O</w:t></w:r>`,
    'H₂O',
  ],
  [
    'a superscript without a character of its own',
    `<w:r><w:t>1</w:t></w:r>${raised('st')}`,
    '1<sup>st</sup>',
  ],
  ['struck out text', `${run('5000元', '<w:strike/>')}<w:r><w:t>3000元</w:t></w:r>`, '~~5000元~~3000元'],
  ['text struck out twice', run('100元', '<w:dstrike/>'), '~~100元~~'],
  ['text that a style strikes out', run('旧', '<w:rStyle w:val="x"/>'), '~~旧~~'],
  [
    'a phonetic guide',
    `${guided('北', 'běi')}${guided('京', 'jīng')}<w:r><w:t>欢迎</w:t></w:r>`,
    '北京（běi jīng）欢迎',
  ],
  ['a character of Symbol', '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', 'α'],
  ['a character of Wingdings', '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', '✓'],
  [
    'a box to check of old forms',
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
    '☑',
  ],
])('%s in Word keeps what it means', async (_, runs, text) => {
  const styles = `<w:styles ${W}><w:style w:styleId="x" w:type="character"><w:name w:val="x"/><w:rPr><w:strike/></w:rPr></w:style></w:styles>`
  const file = makeDocx(`<w:p>${runs}</w:p>`, { 'word/styles.xml': styles })
  expect(textOf(await read(file, 'a.docx'))).toBe(text)
})

test.each([
  [' EQ \\o\\ac(○,一)', '㊀'],
  [' EQ \\o\\ac(○,12)', '⑫'],
  [' EQ \\o\\ac(○,21)', '㉑'],
  [' EQ \\o\\ac(○,51)', '51'],
  [' EQ \\* jc2 \\* "Font:宋体" \\* hps10 \\o\\ad(\\s\\up 9(běi),北)', '北（běi）'],
  [' EQ \\f(1,2)', '1/2'],
  ['EQ x\\s\\up6(2)', 'x²'],
  ['EQ \\s\\up 6(\\s\\do 2(a),b)', '<sup><sub>a</sub> b</sup>'],
  ['EQ \\b \\lc\\[ \\rc\\) (1)', '[1)'],
  ['EQ \\a \\al \\co 2 \\vs-3 (1,2)', '1, 2'],
  ['SYMBOL 97 \\f Symbol', 'α'],
  ['MACROBUTTON NoMacro [点此输入]', '[点此输入]'],
  ['PAGE', undefined],
  ['EQ \\f(1', '1/'],
])('the field %s shows %s', (instruction, text) => {
  expect(formatField(instruction)).toBe(text)
})

test('a field that nests or repeats without end is formatted at once', () => {
  const { length } = formatField(`EQ ${'\\s\\up('.repeat(40)}x`)!
  expect(length).toBeLessThan(1000)
  for (const source of [
    `\\o${'\\b  '.repeat(40)}x`,
    `${'\\b\\c'.repeat(100_000)}1 x(`,
    `${'\\s\\up('.repeat(20_000)}x`,
    `${'\\r('.repeat(20_000)}x`,
    `a${' '.repeat(200_000)}x`,
  ])
    expect(formatField(`EQ ${source}`)).toContain('x')
})

test.each([
  [3, 'chineseCounting', '三'],
  [21, 'chineseCountingThousand', '二十一'],
  [105, 'chineseCountingThousand', '一百零五'],
  [3, 'chineseLegalSimplified', '叁'],
  [2, 'ideographTraditional', '乙'],
  [14, 'upperRoman', 'XIV'],
  [28, 'lowerLetter', 'bb'],
  [7, 'decimalEnclosedCircle', '⑦'],
  [7, 'decimalZero', '07'],
  [12, 'decimalFullWidth', '１２'],
  [780, 'lowerLetter', 'z'.repeat(30)],
  [781, 'lowerLetter', '781'],
  [999_999_999, 'russianLower', '999999999'],
  [2_147_483_647, 'chicago', '2147483647'],
])('the number %i in the format %s is %s', (value, format, text) => {
  expect(formatNumber(value, format)).toBe(text)
})

const numbering = (...levels: [format: string, text: string, more?: string][]): string =>
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels
    .map(
      ([format, text, more = ''], level) =>
        `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`,
    )
    .join('')}</w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
const numbered = (text: string, level: number): string =>
  paragraph(
    text,
    `<w:pStyle w:val="${level === 0 ? '1' : '2'}"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="5"/></w:numPr>`,
  )

test.each<[name: string, numbering: string, headings: string[]]>([
  [
    '第一章, 1.1',
    numbering(['chineseCounting', '第%1章'], ['decimal', '%1.%2', '<w:isLgl/>']),
    ['第一章 总则', '1.1 目的', '1.2 范围', '第二章 处罚', '2.1 罚款'],
  ],
  [
    '一、, （一）',
    numbering(['chineseCounting', '%1、'], ['chineseCounting', '（%2）']),
    ['一、 总则', '（一） 目的', '（二） 范围', '二、 处罚', '（一） 罚款'],
  ],
  [
    'I., A.',
    numbering(['upperRoman', '%1.'], ['upperLetter', '%2.']),
    ['I. 总则', 'A. 目的', 'B. 范围', 'II. 处罚', 'A. 罚款'],
  ],
  [
    '①',
    numbering(['decimalEnclosedCircle', '%1'], ['decimal', '%2)']),
    ['① 总则', '1) 目的', '2) 范围', '② 处罚', '1) 罚款'],
  ],
])('headings of Word keep their numbers: %s', async (_, part, headings) => {
  const styles = `<w:styles ${W}>${[1, 2].map((n) => `<w:style w:styleId="${n}"><w:name w:val="heading ${n}"/></w:style>`).join('')}</w:styles>`
  const body = ['总则', '目的', '范围', '处罚', '罚款']
    .map((text, at) => numbered(text, [0, 1, 1, 0, 1][at]!))
    .join('')
  const reading = await read(
    makeDocx(body, { 'word/numbering.xml': part, 'word/styles.xml': styles }),
    'a.docx',
  )
  expect(textOf(reading).split('\n\n')).toEqual(
    headings.map((heading, at) => `${[0, 3].includes(at) ? '##' : '###'} ${heading}`),
  )
})

test('cells, slides and OpenDocument keep superscripts, struck out text and phonetic guides', async () => {
  const sheet =
    '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><rPr><strike/></rPr><t>旧</t></r></is></c></row></sheetData>'
  expect(textOf(await read(makeXlsx({ 表: sheet }), 'a.xlsx'))).toContain('10⁶~~旧~~')

  const slide =
    '<p:sp><p:txBody><a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:rPr strike="sngStrike"/><a:t>旧</a:t></a:r></a:p></p:txBody></p:sp>'
  expect(textOf(await read(makePptx([slide]), 'a.pptx'))).toBe('10⁶~~旧~~')

  const odt = makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:automatic-styles><style:style style:name="S"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="X"><style:text-properties style:text-line-through-style="solid"/></style:style></office:automatic-styles><office:body><office:text><text:p>10<text:span text:style-name="S">6</text:span><text:span text:style-name="X">旧</text:span><text:ruby><text:ruby-base>北</text:ruby-base><text:ruby-text>běi</text:ruby-text></text:ruby></text:p></office:text></office:body></office:document-content>`,
  })
  expect(textOf(await read(odt, 'a.odt'))).toBe('10⁶~~旧~~北（běi）')
})

test.each<[what: string, font: string, item: string, text: string]>([
  [
    'a run in another font than the cell',
    '<name val="Wingdings"/>',
    '<r><rPr><rFont val="Wingdings"/></rPr><t>þ</t></r><r><rPr><rFont val="Arial"/></rPr><t> Agreed</t></r>',
    '☑ Agreed',
  ],
  [
    'a run that is not struck out as its cell is',
    '<strike/>',
    '<r><t>旧</t></r><r><rPr><b/></rPr><t>新</t></r>',
    '~~旧~~新',
  ],
  ['a run without a font', '<strike/>', '<r><t>金</t></r><r><t>额</t></r>', '~~金额~~'],
  ['a struck out cell with tildes', '<strike/>', '<t>a ~~ b</t>', '~~a ~~ b~~'],
  ['a tag in a font of symbols', '<name val="Wingdings"/>', '<t>&lt;a</t>', '🖫♋'],
])('%s in a cell keeps what it means', async (_, font, item, text) => {
  const file = makeXlsx(
    {
      表: `<sheetData><row r="1"><c r="A1" t="inlineStr" s="1"><is>${item}</is></c><c r="B1" t="s" s="1"><v>0</v></c></row></sheetData>`,
    },
    {
      'xl/sharedStrings.xml': `<sst><si>${item}</si></sst>`,
      'xl/styles.xml': `<styleSheet><fonts><font/><font>${font}</font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>`,
    },
  )
  expect(textOf(await read(file, 'a.xlsx'))).toContain(`| ${text} | ${text} |`)
})

test.each([
  ['10<sup>6</sup>', '10⁶'],
  [
    '<s>100</s><strike>90</strike><del>80</del><span style="text-decoration: line-through">70</span>60',
    '~~100908070~~60',
  ],
  ['<ruby>北<rp>(</rp><rt>běi</rt><rp>)</rp>京<rt>jīng</rt></ruby>', '北京（běi jīng）'],
  ['<math><msup><mi>x</mi><mn>2</mn></msup></math>', '$x^{2}$'],
  ['<math><msup><mi>x</mi></msup></math>', '$x$'],
  ['<span><span><math><mi>x</mi></math></span><span aria-hidden="true">x</span></span>', '$x$'],
])('%s keeps what it means', async (html, text) => {
  expect(textOf(await read(`<!DOCTYPE html><p>${html}</p>`, 'a.html'))).toBe(text)
})

test.each([
  ['a paragraph', '<p>&lt;b></p>'],
  ['a field', '<textarea>&lt;b></textarea>'],
  ['a line to fill in', '<input value="<b>">'],
  ['a choice', '<select><option>&lt;b></select>', '- \\<b>'],
  ['a choice by its label', '<select><option label="<b>"></select>', '- \\<b>'],
  ['a picture', '<img alt="<b>">', '![\\<b>]()'],
  ['a picture with brackets', '<img alt="<[]b>">', '![\\<b>]()'],
  ['a phonetic guide', '<ruby>北<rt>&lt;b></rt></ruby>', '北（\\<b>）'],
  ['a drawing in a line', '<p><svg><text>&lt;b></text></svg></p>'],
  ['a drawing', '<svg><text>&lt;b></text><foreignObject><p>乙</p></foreignObject></svg>', '\\<b>\n\n乙'],
  ['deep elements of a line', `${'<span>'.repeat(250)}&lt;b>`],
  ['deep blocks', `${'<div>'.repeat(250)}&lt;b>`],
  ['deep lists', `${'<ul><li>'.repeat(250)}&lt;b>`],
  ['lines of code, which has no tags', '<pre>&lt;b></pre>', '```\n<b>\n```'],
])('no text of HTML becomes a tag: %s', async (_, html, text = '\\<b>') => {
  expect(textOf(await read(`<!DOCTYPE html>${html}`, 'a.html'))).toBe(text)
})

test.each([
  ['标题', '<title>标</title><p>标题', '标题'],
  ['a page without html, head and body', '<p>一<p>二<ul><li>三</ul>', '一\n\n二\n\n- 三'],
  ['text behind the page', '<html><body><p>一</p></body></html><p>二</p>', '一\n\n二'],
  ['two bodies', '<body><p>一</p></body><body><p>二</p></body>', '一\n\n二'],
  ['a script before the head', '<script>1</script><head><title>标</title></head><body>一</body>', '一'],
  ['an XML declaration', '<?xml version="1.0"?><html><body><p>一</p></body></html>', '一'],
  [
    'entities of XML',
    '<?xml version="1.0"?><!-- 题 --><!DOCTYPE html [<!ENTITY a "x">]><html><body><p>一</p></body></html>',
    '一',
  ],
  ['a set of frames', '<frameset><frame src="a"><noframes><p>一</p></noframes></frameset>', '一'],
])('HTML is read as a browser reads it: %s', async (_, html, text) => {
  expect(textOf(await read(html, 'a.html'))).toBe(text)
})

test('hidden sheets, rows, slides and words are read and reported', async () => {
  const sheet = '<sheetData><row r="2" hidden="1"><c r="A2" t="s"><v>0</v></c></row></sheetData>'
  const workbook = await read(makeXlsx({ 表: sheet }), 'a.xlsx')
  expect(workbook.report.skipped).toMatchObject([
    { reason: 'hidden', what: '第 2 行', place: { sheet: '表' } },
  ])
  expect(textOf(workbook)).toContain('日期')
  const words = await read(makeDocx(`<w:p>${run('暗', '<w:vanish/>')}</w:p>`), 'a.docx')
  expect([textOf(words), words.report.skipped[0]?.reason]).toEqual(['暗', 'hidden'])
})

test('a thread of comments is read once, and a cell keeps the page that it leads to', async () => {
  const parts = relations([
    ['r1', 'comments', '../comments1.xml'],
    ['r2', 'threadedComment', '../threadedComments/threadedComment1.xml'],
    ['r3', 'hyperlink', 'https://example.com/价目', true],
  ])
  const file = makeXlsx(
    {
      表: '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="r3"/></hyperlinks>',
    },
    {
      'xl/worksheets/_rels/sheet0.xml.rels': parts,
      'xl/comments1.xml':
        '<comments><authors><author>tc={1}</author></authors><commentList><comment ref="A1" authorId="0"><text><t>[Threaded comment] 请核对</t></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment ref="A1"><text>请核对</text></threadedComment></ThreadedComments>',
    },
  )
  expect(textOf(await read(file, 'a.xlsx'))).toBe(
    '## 表\n\n[日期](https://example.com/价目)\n\n> 批注 A1：请核对',
  )
})

test('a book whose package has prefixes is read, and a page that is a picture is reported as one', async () => {
  const file = makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<c:container xmlns:c="urn:oasis:names:tc:opendocument:xmlns:container"><c:rootfiles><c:rootfile full-path="a.opf"/></c:rootfiles></c:container>',
    'a.opf': `<opf:package xmlns:opf="http://www.idpf.org/2007/opf" xmlns:d="http://purl.org/dc/elements/1.1/"><opf:metadata><d:title>书名</d:title></opf:metadata><opf:manifest><opf:item id="p" href="cover.jpg" media-type="image/jpeg"/><opf:item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></opf:manifest><opf:spine><opf:itemref idref="p"/><opf:itemref idref="c"/></opf:spine></opf:package>`,
    'cover.jpg': '<p>no text</p>',
    'c.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>甲<sup>2</sup><script/>乙</p><img src="图.png" alt=""/></body></html>',
  })
  const reading = await read(file, 'a.epub')
  expect(textOf(reading)).toBe('甲²乙')
  expect(reading.title).toBe('书名')
  expect(reading.report.skipped.map(({ what, reason }) => [what, reason])).toEqual([
    ['cover.jpg', 'picture'],
    ['图.png', 'picture'],
  ])
})
