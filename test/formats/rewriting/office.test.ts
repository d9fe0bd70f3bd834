import { expect, test } from 'vitest'
import { makeZip } from '../make-container.ts'
import { makePptx, P, relations, shape } from '../make-office.ts'
import { mark, put, reasonsOf, take, textsOf, unzip } from './take.ts'

const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

/** Makes a workbook of one sheet; `strings` are its shared strings, `related` the targets of its relations, by kind. */
function makeWorkbook(sheet: string, strings: string, related: Record<string, string> = {}): Buffer {
  const kinds = Object.keys(related)
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${R}><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${R}>${sheet}</worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relations(kinds.map((kind) => [kind, kind, `../${kind}.xml`])),
    ...Object.fromEntries(kinds.map((kind) => [`xl/${kind}.xml`, related[kind] ?? ''])),
  })
}

const cells = (...content: string[]): string => `<sheetData><row r="1">${content.join('')}</row></sheetData>`
const shared = (reference: string, index: number): string => `<c r="${reference}" t="s"><v>${index}</v></c>`

test('cells are translated where they are shown, with runs, readings and formulas as they are', async () => {
  const strings =
    '<si><t>Name</t></si><si><r><rPr><b/></rPr><t>Very</t></r><r><t xml:space="preserve"> good news</t></r></si><si><t>never shown</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>'
  const sheet = `${cells(
    shared('A1', 0),
    shared('B1', 1),
    shared('C1', 3),
    '<c r="D1" t="inlineStr"><is><t>Inline &amp; text</t></is></c>',
    '<c r="E1" t="str"><f>A1&amp;"old"</f><v>Nameold</v></c>',
    '<c r="F1"><v>42</v></c>',
  )}<headerFooter><oddHeader>&amp;LTop secret&amp;C&amp;"Arial,Bold"Page &amp;P of &amp;N</oddHeader></headerFooter>`
  const bytes = makeWorkbook(sheet, strings, {
    comments:
      '<comments><commentList><comment ref="A1"><text><r><t>Check this</t></r></text></comment></commentList></comments>',
  })
  const taken = await take(bytes, 'a.xlsx')
  expect(textsOf(taken)).toEqual([
    'Name',
    '<1>Very</1> good news',
    '東京',
    'Inline &amp; text',
    'Top secret',
    'Page <1/> of',
    'Check this',
  ])
  expect(taken.segments[0]?.place).toEqual({ sheet: 'Data', range: 'A1' })
  expect(reasonsOf(taken).toSorted()).toEqual(['formula_text', 'phonetic', 'sheet_names'])
  const { bytes: done } = await put(bytes, 'a.xlsx', {
    東京: 'Tokyo',
    '<1>Very</1> good news': '很<1>好</1>',
    'Inline &amp; text': '<a> & b',
    'Page <1/> of': 'R&D <1/> /',
  })
  const written = unzip(done, 'xl/sharedStrings.xml')
  expect(written).toContain('<si><t>Tokyo</t><phoneticPr fontId="1"/></si>')
  expect(written).toContain('<r><t xml:space="preserve">很</t></r><r><rPr><b/></rPr><t>好</t></r>')
  expect(written).toContain('<t>never shown</t>')
  const result = unzip(done, 'xl/worksheets/sheet1.xml')
  expect(result).toContain('<is><t>&lt;a&gt; &amp; b</t></is>')
  expect(result).toContain('"Arial,Bold"R&amp;&amp;D &amp;P / &amp;N</oddHeader>')
  expect(result).toContain('<f>A1&amp;"old"</f><v>Nameold</v>')
})

const table = (more = ''): string =>
  `<table ref="A1:B3"><tableColumns><tableColumn id="1" name="City"/><tableColumn id="2" name="State">${more}</tableColumn></tableColumns></table>`

test('the columns of a table are called as the cells above them', async () => {
  const bytes = makeWorkbook(
    cells(shared('A1', 0), shared('B1', 1)),
    '<si><t>City</t></si><si><t>State</t></si>',
    { table: table() },
  )
  const done = await put(bytes, 'a.xlsx', { City: '"城市"', State: '州' })
  expect(unzip(done.bytes, 'xl/table.xml')).toContain(
    'name="&quot;城市&quot;"/><tableColumn id="2" name="州"',
  )
  expect(unzip(done.bytes, 'xl/sharedStrings.xml')).toContain('<t>"城市"</t>')
  const same = await put(bytes, 'a.xlsx', { City: '地区', State: '地区' })
  expect(same.problems.map(({ what }) => what)).toEqual(['name_taken', 'name_taken'])
  expect(Buffer.from(same.bytes).equals(bytes)).toBe(true)
})

test('columns to which a formula refers keep their names, and it is reported', async () => {
  const bytes = makeWorkbook(
    cells(shared('A1', 0), shared('B1', 1), shared('C1', 2)),
    '<si><t>City</t></si><si><t>State</t></si><si><t>Other</t></si>',
    { table: table('<calculatedColumnFormula>Table1[City]</calculatedColumnFormula>') },
  )
  const taken = await take(bytes, 'a.xlsx')
  expect(textsOf(taken)).toEqual(['Other'])
  expect(reasonsOf(taken)).toContain('table_names')
})

const inline = (reference: string, content: string): string =>
  `<c r="${reference}" t="inlineStr"><is>${content}</is></c>`
const plain = (reference: string, text: string): string => `<c r="${reference}" t="str"><v>${text}</v></c>`

test.each([
  ['shared', [shared('A1', 0), shared('B1', 1)]],
  [
    'inline',
    [inline('A1', '<t>City</t>'), inline('B1', '<r><t>My </t></r><r><rPr><b/></rPr><t>State</t></r>')],
  ],
  [
    'inline without references',
    [inline('A1', '<t>City</t>').replace(' r="A1"', ''), plain('B1', 'My State')],
  ],
])('a header of %s strings and the names of its columns are the same, in both modes', async (_, header) => {
  const strings = '<si><t>City</t></si><si><r><t>My </t></r><r><rPr><b/></rPr><t>State</t></r></si>'
  const bytes = makeWorkbook(cells(...header), strings, { table: table().replace('"State"', '"My State"') })
  const translate = (text: string): string => text.replace('City', '城市\n名').replace('State', '州')
  for (const [mode, names] of [
    ['translated', ['城市_x000a_名', 'My 州']],
    ['bilingual', ['City / 城市_x000a_名', 'My State / My 州']],
  ] as const) {
    const { bytes: done, problems } = await put(bytes, 'a.xlsx', translate, mode)
    expect(problems).toEqual([])
    expect([...unzip(done, 'xl/table.xml').matchAll(/name="([^"]*)"/g)].map(([, name]) => name)).toEqual(
      names,
    )
    const written = unzip(done, 'xl/sharedStrings.xml') + unzip(done, 'xl/worksheets/sheet1.xml')
    const words = written.replace(/<[^>]*>/g, '').replaceAll('\n', '_x000a_')
    for (const name of names) expect(words).toContain(name)
  }
})

test('a name of a column that would be too long stays with its cell; the label of a total follows its own', async () => {
  const bytes = makeWorkbook(
    cells(inline('A1', '<t>City</t>'), inline('B1', '<t>State</t>'), inline('A3', '<t>Sum</t>')),
    '',
    {
      table: table()
        .replace('ref=', 'totalsRowCount="1" ref=')
        .replace('name="City"', 'name="City" totalsRowLabel="Sum"'),
    },
  )
  const { bytes: done, problems } = await put(bytes, 'a.xlsx', {
    City: '城'.repeat(256),
    State: '州',
    Sum: '合计',
  })
  expect(problems.map(({ n, what }) => [n, what])).toEqual([[1, 'name_long']])
  expect(unzip(done, 'xl/table.xml')).toContain(
    'name="City" totalsRowLabel="合计"/><tableColumn id="2" name="州"',
  )
  expect(unzip(done, 'xl/worksheets/sheet1.xml')).toContain('<t>City</t>')
})

test('columns that a formula or a pivot table names stay in cells of every kind; values without formulas are texts', async () => {
  const header = cells(inline('A1', '<t>City</t>'), plain('B1', 'State'), plain('C1', 'Other'))
  const choice =
    '<dataValidations><dataValidation><formula1>INDIRECT("T[City]")</formula1></dataValidation></dataValidations>'
  for (const [more, related] of [
    [choice, { table: table() }],
    [
      '',
      {
        table: table().replace('ref', 'name="T" ref'),
        pivotCacheDefinition1:
          '<pivotCacheDefinition><cacheSource><worksheetSource name="T"/></cacheSource></pivotCacheDefinition>',
      },
    ],
    [
      '',
      {
        pivotCacheDefinition1:
          '<pivotCacheDefinition><cacheSource><worksheetSource ref="A1:B3" sheet="Data"/></cacheSource></pivotCacheDefinition>',
      },
    ],
  ] as const) {
    const taken = await take(makeWorkbook(header + more, '', related), 'a.xlsx')
    expect(textsOf(taken)).toEqual(['Other'])
    expect(reasonsOf(taken)).toContain('table_names')
  }
})

test('choices, prompts and pivot tables of a workbook are reported', async () => {
  const rules =
    '<dataValidations><dataValidation type="list"><formula1>"Yes,No"</formula1></dataValidation><dataValidation prompt="Enter a date"/></dataValidations>'
  const bytes = makeWorkbook(cells(shared('A1', 0)) + rules, '<si><t>Name</t></si>', {
    pivotCacheDefinition1: '<pivotCacheDefinition/>',
  })
  expect((await take(bytes, 'a.xlsx')).kept.map(({ reason, what }) => [reason, what])).toEqual([
    ['choices', '"Yes,No"'],
    ['choices', 'Enter a date'],
    ['sheet_names', 'Data'],
    ['pivot', 'xl/pivotCacheDefinition1.xml'],
  ])
})

test('in two languages a cell has both', async () => {
  const strings = '<si><t>Name</t></si><si><r><rPr><b/></rPr><t>Very</t></r><r><t> good news</t></r></si>'
  const bytes = makeWorkbook(cells(shared('A1', 0), shared('B1', 1)), strings)
  const { bytes: done } = await put(
    bytes,
    'a.xlsx',
    { Name: '名称', '<1>Very</1> good news': '<1>很</1>好' },
    'bilingual',
  )
  expect(unzip(done, 'xl/sharedStrings.xml')).toBe(
    `<sst>${strings
      .replace('Name', 'Name / 名称')
      .replace(
        ' good news</t></r>',
        ' good news</t></r><r><t xml:space="preserve"> / </t></r><r><rPr><b/></rPr><t xml:space="preserve">很</t></r><r><t xml:space="preserve">好</t></r>',
      )}</sst>`,
  )
})

test('slides, tables, notes, comments, diagrams and what a layout writes are translated; prompts and fields are not', async () => {
  const text = (content: string): string => `<p:txBody><a:p>${content}</a:p></p:txBody>`
  const title = `<p:sp>${text('<a:r><a:rPr lang="en-US"/><a:t>Big </a:t></a:r><a:r><a:rPr lang="en-GB" dirty="0"/><a:t>plans</a:t></a:r><a:br/><a:r><a:rPr b="1"/><a:t>now</a:t></a:r><a:endParaRPr lang="en"/>')}</p:sp>`
  const number = `<p:sp>${text('<a:fld type="slidenum"><a:t>1</a:t></a:fld>')}</p:sp>`
  const alternate = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice>${shape('Once')}</mc:Choice><mc:Fallback>${shape('Once')}</mc:Fallback></mc:AlternateContent>`
  const frame = `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Cell</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`
  const bytes = makePptx([title + number + alternate + frame], {
    'ppt/slides/_rels/slide1.xml.rels': relations([
      ['n', 'notesSlide', '../notes.xml'],
      ['c', 'comments', '../comments.xml'],
      ['l', 'slideLayout', '../layout.xml'],
      ['d', 'diagramData', '../data.xml'],
    ]),
    'ppt/notes.xml': `<p:notes ${P}>${shape('Say hello')}</p:notes>`,
    'ppt/comments.xml': `<p:cmLst ${P}><p:cm><p:text>Nice &amp; short</p:text></p:cm></p:cmLst>`,
    'ppt/layout.xml': `<p:sldLayout ${P}>${shape('Click to edit', '<p:ph type="title"/>')}${shape('Our company')}</p:sldLayout>`,
    'ppt/data.xml': `<dgm ${P}><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm>`,
  })
  const taken = await take(bytes, 'a.pptx')
  expect(textsOf(taken)).toEqual([
    'Big plans<1/><2>now</2>',
    'Once',
    'Cell',
    'Step',
    'Say hello',
    'Nice &amp; short',
    'Our company',
  ])
  expect(taken.segments[3]?.place).toEqual({ slide: 1 })
  const { bytes: done } = await put(bytes, 'a.pptx', mark)
  const slide = unzip(done, 'ppt/slides/slide1.xml')
  expect(slide.match(/⟦Once⟧/g)).toHaveLength(2)
  expect(unzip(done, 'ppt/comments.xml')).toContain('<p:text>⟦Nice &amp; short⟧</p:text>')
  const both = await put(
    bytes,
    'a.pptx',
    { 'Big plans<1/><2>now</2>': '大计划<1/><2>现在</2>', Cell: '格' },
    'bilingual',
  )
  const bilingual = unzip(both.bytes, 'ppt/slides/slide1.xml')
  expect(bilingual).toContain(
    '<a:t>now</a:t></a:r><a:br/><a:r><a:rPr lang="en-US"/><a:t>大计划</a:t></a:r><a:br/><a:r><a:rPr b="1"/><a:t>现在</a:t></a:r><a:endParaRPr lang="en"/>',
  )
  expect(bilingual).toContain('<a:t>Cell</a:t></a:r><a:br/><a:r><a:t>格</a:t></a:r>')
})
