import { expect, test } from 'vitest'
import { makeZip } from '../make-container.ts'
import { relations } from '../make-office.ts'
import { mark, put, reasonsOf, take, textsOf, unzip } from './take.ts'

const W = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

/** Makes a document of this body; `parts` are named by the kind of relation that leads to them. */
function makeDocx(
  body: string,
  parts: Record<string, string> = {},
  more: Record<string, string> = {},
): Buffer {
  const kinds = Object.keys(parts)
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?>\r\n<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(kinds.map((kind) => [kind, kind, `${kind}.xml`])),
    ...Object.fromEntries(kinds.map((kind) => [`word/${kind}.xml`, parts[kind] ?? ''])),
    ...more,
  })
}

const run = (text: string, properties = ''): string =>
  `<w:r>${properties ? `<w:rPr>${properties}</w:rPr>` : ''}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (...content: string[]): string => `<w:p>${content.join('')}</w:p>`
const char = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const field = (instruction: string, ...result: string[]): string =>
  `${char('begin')}<w:r><w:instrText> ${instruction} </w:instrText></w:r>${char('separate')}${result.join('')}${char('end')}`

const texts = async (...body: string[]): Promise<string[]> =>
  textsOf(await take(makeDocx(body.join('')), 'a.docx'))

/** Returns the body of a document after its texts were changed. */
async function translate(body: string, change: Record<string, string>, mode?: 'bilingual'): Promise<string> {
  const { bytes } = await put(makeDocx(body), 'a.docx', change, mode)
  return /<w:body>(.*)<\/w:body>/s.exec(unzip(bytes, 'word/document.xml'))?.[1] ?? ''
}

test('a word that spelling marks cut into runs is one text, and its translation stands in the first of them', async () => {
  const cut = paragraph(
    '<w:r w:rsidR="1"><w:rPr><w:lang w:val="en"/></w:rPr><w:t>Trans</w:t></w:r><w:proofErr w:type="spellStart"/>',
    '<w:r w:rsidR="2"><w:t>la</w:t></w:r><w:r><w:rPr><w:spacing w:val="-1"/></w:rPr><w:lastRenderedPageBreak/><w:t>tion</w:t></w:r>',
  )
  expect(await texts(cut)).toEqual(['Translation'])
  expect(await translate(cut, { Translation: '翻译' })).toBe(
    cut.replace('>Trans<', '>翻译<').replace('>la<', '><').replace('>tion<', '><'),
  )
})

test('runs of another format are tags, which a translation may put in another order', async () => {
  const body = paragraph(run('I '), run('love', '<w:b/>'), run(' '), run('you', '<w:i/>'), run(' a lot'))
  expect(await texts(body)).toEqual(['I <1>love</1> <2>you</2> a lot'])
  const done = await translate(body, { 'I <1>love</1> <2>you</2> a lot': '<2>你</2>我<1>爱</1>' })
  expect(done.replace(/<w:t[^>]*>/g, '<w:t>')).toBe(
    paragraph(
      '<w:r><w:t></w:t></w:r>',
      '<w:r><w:rPr><w:i/></w:rPr><w:t>你</w:t></w:r>',
      '<w:r><w:t>我</w:t></w:r>',
      '<w:r><w:rPr><w:b/></w:rPr><w:t>爱</w:t></w:r>',
      '<w:r><w:t></w:t></w:r>',
    ),
  )
})

test('a text before a tag with which the source begins gets a run of its own, in the format of the rest', async () => {
  const body = paragraph(run('Note', '<w:b/>'), run(' well, my friend', '<w:color w:val="FF0000"/>'))
  const done = await translate(body, { '<1>Note</1> well, my friend': '请<1>注意</1>' })
  expect(done).toContain(
    '<w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t xml:space="preserve">请</w:t></w:r><w:r><w:rPr><w:b/>',
  )
})

test('tags that a model lost or broke are mended, and it is reported', async () => {
  const body = paragraph(run('See '), run('this', '<w:b/>'), '<w:r><w:tab/></w:r>', run('now please'))
  const [text = ''] = await texts(body)
  expect(text).toBe('See <1>this</1><2/>now please')
  const change = async (translation: string): Promise<[string, string[]]> => {
    const { bytes, problems } = await put(makeDocx(body), 'a.docx', { [text]: translation })
    const xml = unzip(bytes, 'word/document.xml')
    expect(xml.match(/<w:tab\/>/g)).toHaveLength(1)
    return [
      xml
        .replace(/<w:tab\/>/, '→')
        .replace(/<[^>]*>/g, '')
        .trim(),
      problems.map(({ what }) => what),
    ]
  }
  expect(await change('看 ＜1＞这个＜/1＞< 2 / >现在')).toEqual(['看 这个→现在', []])
  expect(await change('看 <1>这个<1><2/>现在')).toEqual(['看 这个→现在', []])
  expect(await change('看这个现在')).toEqual(['看这个现在→', ['tags']])
  expect(await change('看 <1>这个<2/>现在')).toEqual(['看 这个现在→', ['tags']])
  expect(await change('看 <1>这</1><1>个</1><2/><2/>现在<7/>')).toEqual(['看 这个→现在', ['tags']])
})

test('what looks like markup in a text stays text', async () => {
  const body = paragraph(run('if a &lt; b &amp;&amp; c &lt;5&gt; then'))
  const text = 'if a &lt; b &amp;&amp; c &lt;5> then'
  expect(await texts(body)).toEqual([text])
  expect(await translate(body, { [text]: '若 a &lt; b & c <5> ]]>' })).toContain(
    '>若 a &lt; b &amp; c &lt;5&gt; ]]&gt;<',
  )
})

test('fields keep their results, links in fields are text, entries of a table of contents too', async () => {
  const toc = [
    paragraph(
      `${char('begin')}<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>${char('separate')}`,
      `<w:hyperlink w:anchor="_Toc1">${run('Chapter one')}<w:r><w:tab/></w:r>${field('PAGEREF _Toc1', run('3'))}</w:hyperlink>`,
    ),
    paragraph(char('end')),
  ]
  const body = paragraph(
    run('Page '),
    field('PAGE', run('1')),
    run(' as '),
    field('REF _Ref1', run('Table One')),
    run(' says'),
  )
  const link = paragraph(
    run('Ask '),
    field('HYPERLINK "https://a.example"', run('our team', '<w:u w:val="single"/>')),
    run(' first, please'),
  )
  const taken = await take(makeDocx([...toc, body, link].join('')), 'a.docx')
  expect(textsOf(taken)).toEqual([
    'Chapter one',
    'Page <1/> as <2/> says',
    'Ask <1>our team</1> first, please',
  ])
  expect(taken.kept).toMatchObject([{ reason: 'field', what: 'REF' }])
  const done = await translate(body, { 'Page <1/> as <2/> says': '如<2/>所述，第 <1/> 页' })
  expect(done.replace(/<w:instrText>([^<]*)<\/w:instrText>/g, '{$1}').replace(/<[^>]*>/g, '')).toBe(
    '如{ REF _Ref1 }Table One所述，第 { PAGE }1 页',
  )
})

test('deleted text is not translated, inserted text is', async () => {
  const body = paragraph(
    run('We '),
    '<w:del w:id="1"><w:r><w:delText>never</w:delText></w:r></w:del>',
    `<w:ins w:id="2">${run('always')}</w:ins>`,
    run(' agree'),
  )
  const taken = await take(makeDocx(body), 'a.docx')
  expect(textsOf(taken)).toEqual(['We <1>always</1> agree'])
  expect(reasonsOf(taken)).toEqual(['deleted'])
  expect(await translate(body, { 'We <1>always</1> agree': '我们<1>总是</1>同意' })).toContain(
    '<w:del w:id="1"><w:r><w:delText>never</w:delText></w:r></w:del><w:ins w:id="2">',
  )
})

test('notes, headers, comments, text boxes, content controls, diagrams and charts are translated, each once', async () => {
  const box = `<w:txbxContent>${paragraph(run('In a box'))}</w:txbxContent>`
  const body = [
    paragraph(
      run('Body'),
      '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>',
      run(' goes on'),
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
    `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/title"/></w:sdtPr><w:sdtContent>${paragraph(`<w:sdt><w:sdtContent>${run('Bound')}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`,
  ].join('')
  const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
  const diagram = (root: string): string =>
    `<${root} ${a}><t><a:p><a:r><a:t>Step</a:t></a:r></a:p></t></${root}>`
  const bytes = makeDocx(body, {
    footnotes: `<w:footnotes ${W}><w:footnote w:id="2">${paragraph('<w:r><w:footnoteRef/></w:r>', run(' A note'))}</w:footnote></w:footnotes>`,
    header: `<w:hdr ${W}>${paragraph(run('Secret '), field('PAGE', run('1')))}</w:hdr>`,
    comments: `<w:comments ${W}><w:comment w:id="0">${paragraph(run('Really?'))}</w:comment></w:comments>`,
    diagramData: diagram('dgm'),
    diagramDrawing: diagram('dsp'),
    chart: `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ${a}><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:strCache><c:pt idx="0"><c:v>East</c:v></c:pt></c:strCache></c:chartSpace>`,
  })
  const taken = await take(bytes, 'a.docx')
  expect(textsOf(taken)).toEqual([
    'Body<1/> goes on',
    'In a box',
    'Bound',
    'Step',
    'Sales',
    'East',
    'Secret',
    'A note',
    'Really?',
  ])
  expect(reasonsOf(taken)).toEqual(['bound', 'chart_data'])
  const { bytes: done } = await put(bytes, 'a.docx', mark)
  expect(unzip(done, 'word/document.xml').match(/⟦In a box⟧/g)).toHaveLength(2)
  for (const part of ['diagramData', 'diagramDrawing', 'chart', 'header', 'footnotes', 'comments'])
    expect(unzip(done, `word/${part}.xml`)).toContain('⟦')
})

test('what a document carries beside its texts is reported, descriptions of pictures are texts', async () => {
  const picture = (descr: string): string =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="${descr}"/></wp:inline></w:drawing></w:r>`
  const body = [
    paragraph(run('The area is '), '<m:oMath><m:r><m:t>a</m:t></m:r></m:oMath>', run(' here')),
    paragraph(picture('A &quot;cat&quot; asleep'), picture('IMG_1.jpg')),
    paragraph('<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'),
    paragraph(
      '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="Yes" w:value="1"/></w:dropDownList></w:sdtPr></w:sdt>',
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:listEntry w:val="Red"/></w:ddList></w:ffData></w:fldChar></w:r>',
      char('end'),
    ),
  ].join('')
  const bytes = makeDocx(
    body,
    {},
    {
      'word/media/image1.png': 'png',
      'word/embeddings/sheet.xlsx': 'PK',
      'word/vbaProject.bin': 'vba',
      '_xmlsignatures/sig1.xml': '<Signature/>',
    },
  )
  const taken = await take(bytes, 'a.docm')
  expect(textsOf(taken)).toEqual(['The area is <1/> here', 'A "cat" asleep'])
  expect(taken.kept.map(({ reason, what }) => [reason, what])).toEqual([
    ['picture', 'word/media/image1.png'],
    ['embedded', 'word/embeddings/sheet.xlsx'],
    ['macro', 'word/vbaProject.bin'],
    ['signature', '_xmlsignatures/sig1.xml'],
    ['equation', ''],
    ['watermark', 'DRAFT'],
    ['choices', 'Yes'],
    ['choices', 'Red'],
  ])
  const { bytes: done } = await put(bytes, 'a.docm', { 'A "cat" asleep': '睡着的\n"猫"' })
  expect(unzip(done, 'word/document.xml')).toContain('descr="睡着的&#10;&quot;猫&quot;"')
})

test('a bookmark or comment on a part of a text stays on its translation', async () => {
  const body = paragraph(
    run('The '),
    '<w:bookmarkStart w:id="1" w:name="term"/>',
    run('buyer'),
    '<w:bookmarkEnd w:id="1"/>',
    run(' pays'),
  )
  const done = await translate(body, { 'The <1>buyer</1> pays': '付款的是<1>买方</1>' })
  expect(done).toMatch(/付款的是.*bookmarkStart[^>]*>.*买方.*<w:bookmarkEnd/)
})

test('a reading above the text is given up for the translation and reported', async () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  const body = paragraph(ruby, run('字の本'))
  expect(await texts(body)).toEqual(['漢字の本'])
  expect(await translate(body, { 漢字の本: '汉字书' })).toBe(
    paragraph(
      '<w:r><w:t xml:space="preserve">汉字书</w:t></w:r>',
      '<w:r><w:t xml:space="preserve"></w:t></w:r>',
    ),
  )
  expect(reasonsOf(await take(makeDocx(body), 'a.docx'))).toEqual(['phonetic'])
})

test('text from right to left keeps its direction', async () => {
  const body = `<w:p><w:pPr><w:bidi/></w:pPr>${run('שלום', '<w:rtl/>')}${run(' עולם', '<w:rtl/>')}</w:p>`
  expect(await texts(body)).toEqual(['שלום עולם'])
  expect(await translate(body, { 'שלום עולם': 'مرحبا' })).toContain(
    '<w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">مرحبا<',
  )
})

test('lines to write on stay, and blanks of another format are no tags', async () => {
  const body = paragraph(
    run('Name:'),
    run('      ', '<w:u w:val="single"/>'),
    run('Date'),
    run(' ', '<w:b/>'),
    run('of birth'),
  )
  expect(await texts(body)).toEqual(['Name:<1/>Date of birth'])
})

test('in two languages the translation follows in a paragraph of the same style, without its number, mark and note', async () => {
  const body = `<w:p><w:pPr><w:pStyle w:val="X"/><w:jc w:val="both"/></w:pPr>${run('One', '<w:b/>')}<w:r><w:footnoteReference w:id="1"/></w:r>${run(' and two')}</w:p>`
  const [text = ''] = await texts(body)
  expect(await translate(body, { [text]: '<1>一</1><2/>与二' }, 'bilingual')).toBe(
    `${body}<w:p><w:pPr><w:pStyle w:val="X"/><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">一</w:t></w:r><w:r><w:t xml:space="preserve">与二</w:t></w:r></w:p>`,
  )
})

test('the same texts give the same bytes, and other texts leave every other file of the archive as it was packed', async () => {
  const bytes = makeDocx(
    paragraph(run('Hello')),
    {},
    { 'word/media/a.png': 'x'.repeat(5000), 'customXml/item.xml': '<a/>' },
  )
  expect(Buffer.from((await put(bytes, 'a.docx', (text) => text)).bytes).equals(bytes)).toBe(true)
  const done = Buffer.from((await put(bytes, 'a.docx', { Hello: '你好'.repeat(500) })).bytes)
  const tail = (file: Buffer): Buffer =>
    file.subarray(file.indexOf('word/_rels'), file.indexOf('PK\u0001\u0002') - 0)
  expect(tail(done).equals(tail(bytes))).toBe(true)
  expect(unzip(done, 'customXml/item.xml')).toBe('<a/>')
})

test('a part keeps its encoding; what that cannot write is written as a reference', async () => {
  const xml = `<?xml version="1.0" encoding="UTF-16"?><w:document ${W}><w:body>${paragraph(run('Héllo'))}</w:body></w:document>`
  const make = (document: Buffer): Buffer =>
    makeDocx('', {}, { 'word/document.xml': document as unknown as string })
  const wide = make(Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(xml, 'utf16le')]))
  expect(textsOf(await take((await put(wide, 'a.docx', mark)).bytes, 'a.docx'))).toEqual(['⟦Héllo⟧'])
  const narrow = make(Buffer.from(xml.replace('UTF-16', 'windows-1252'), 'latin1'))
  const { bytes } = await put(narrow, 'a.docx', { Héllo: 'é你' })
  expect(unzip(bytes, 'word/document.xml')).toContain('>\uFFFD&#20320;<')
  expect(textsOf(await take(bytes, 'a.docx'))).toEqual(['é你'])
})
