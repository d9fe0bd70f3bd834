import { expect, test } from 'vitest'
import { openInput } from '#server/formats/reading/input.ts'
import { openPages } from '#server/formats/pdf/pages.ts'
import { chinese, latin, makePdf, makeScannedPdf } from '../make-pdf.ts'
import { mark, put, reasonsOf, take, textsOf } from './take.ts'

/** Returns the texts of a PDF's pages. */
async function readPages(bytes: Uint8Array): Promise<string[][]> {
  const pdf = await openPages(openInput({ bytes }))
  const pages: string[][] = []
  for (let number = 1; number <= pdf.count; number++) {
    const { blocks } = await pdf.read(number)
    pages.push(blocks.flatMap((block) => ('cells' in block ? block.cells.flat() : [block.text])))
  }
  await pdf.close()
  return pages
}

const table = [60, 200, 340].flatMap((x, column) =>
  [0, 1, 2].map((row) => latin(x, 500 - row * 16, ['Name', 'Amount', 'Note'][column]! + (row || ''))),
)
const twoPages = (): Buffer =>
  makePdf([
    {
      content: [
        latin(60, 780, 'Annual report', 22),
        latin(60, 740, 'The first paragraph of this report goes from one edge of the page to the other and'),
        latin(60, 725, 'on the next line.'),
        ...table,
      ].join('\n'),
    },
    { content: [chinese(60, 700, '第二页的文字'), latin(60, 600, '1 < 2 & so on')].join('\n') },
  ])

test('the texts of a PDF are its paragraphs, headings and cells with their pages', async () => {
  const taken = await take(twoPages(), 'a.pdf')
  expect(textsOf(taken).slice(0, 5)).toEqual([
    'Annual report',
    'The first paragraph of this report goes from one edge of the page to the other and on the next line.',
    'Name',
    'Amount',
    'Note',
  ])
  expect(taken.segments.map(({ place }) => place.page)).toContain(2)
  expect(textsOf(taken).at(-1)).toBe('1 &lt; 2 &amp; so on')
  expect(reasonsOf(taken)).toEqual(['layout'])
})

test('a web page has the picture of each page beside its translation, loads nothing and runs nothing', async () => {
  const { name, text, problems } = await put(twoPages(), '报告.pdf', (source) =>
    source === 'Annual report' ? '<script>年度报告</script>' : mark(source),
  )
  expect([name, problems]).toEqual(['报告.html', []])
  expect(text).toContain(`default-src 'none'`)
  expect(text).toContain('<h1 dir="auto">&lt;script&gt;年度报告&lt;/script&gt;</h1>')
  expect(text).not.toContain('<script')
  const sections = text.split('<section').slice(1)
  expect(sections.map((section) => /src="data:image\/jpeg;base64,\/9j\//.test(section))).toEqual([true, true])
  expect(sections[1]).toContain('<p dir="auto">⟦第二页的文字⟧</p>')
  expect(sections[1]).toContain('⟦1 &lt; 2 &amp; so on⟧')
  expect(sections[0]).toContain('<td dir="auto">⟦Amount⟧</td>')
})

test('a PDF has a page of translation behind each of its pages, which stay as they are', async () => {
  const { name, bytes, problems } = await put(twoPages(), 'a.pdf', (text) => `译文：${text}`, 'bilingual')
  expect([name, problems]).toEqual(['a.pdf', []])
  const pages = await readPages(bytes)
  expect(pages.map((page) => page.slice(0, 3))).toEqual([
    ['Annual report', expect.any(String), 'Name'],
    ['译文：Annual report', expect.any(String), '译文：Name'],
    ['第二页的文字', '1 < 2 & so on'],
    ['译文：第二页的文字译文：1 < 2 & so on', '— 2 —'],
  ])
})

test('what does not fit on its page goes on on another one', async () => {
  const long = '这一段译文比原来的一页长得多。'.repeat(1000)
  const { bytes } = await put(twoPages(), 'a.pdf', { 'Annual report': long, 第二页的文字: '短' }, 'bilingual')
  const pages = await readPages(bytes)
  expect(pages.length).toBeGreaterThan(5)
  expect(pages.at(-2)?.[0]).toBe('第二页的文字')
  const between = pages
    .slice(1, -2)
    .flat()
    .join('')
    .replace(/— \d+ —|\s/g, '')
  expect(between.split('这一段译文比原来的一页长得多。')).toHaveLength(1001)
})

test('pages without text are reported, and have no page of translation', async () => {
  const taken = await take(makeScannedPdf(), 'scan.pdf')
  expect(taken.kept).toContainEqual({
    what: '第 2 页',
    reason: 'scan',
    message: expect.stringContaining('扫描'),
    count: 1,
    place: { page: 2 },
  })
  const { bytes } = await put(makeScannedPdf(), 'scan.pdf', mark, 'bilingual')
  expect((await readPages(bytes)).map((page) => page.length > 0)).toEqual([true, true, false, true, true])
})

test('ligatures are written as letters, bullets of private fonts are left out', async () => {
  // The font itself maps its codes to characters.
  const letters =
    '<</Length 92>>stream\n1 beginbfchar <41> <FB00> endbfchar 1 beginbfchar <42> <E000> endbfchar\nendstream'
  const pdf = makePdf([{ content: latin(60, 700, 'B staA members') }], { objects: [letters] })
  const mapped = pdf.toString('latin1').replace('/Encoding/WinAnsiEncoding', '/ToUnicode 8 0 R')
  const bytes = Buffer.from(mapped, 'latin1')
  expect(textsOf(await take(bytes, 'a.pdf'))).toEqual(['staff members'])
  const pairs = await put(bytes, 'a.pdf', { 'staff members': 'an official waffle' }, 'bilingual')
  expect((await readPages(pairs.bytes))[1]?.[0]).toBe('an official waffle')
})

test('characters that the fonts lack are reported', async () => {
  const { problems } = await put(twoPages(), 'a.pdf', { 'Annual report': 'รายงานประจำปี' }, 'bilingual')
  expect(problems).toEqual([{ n: 1, what: 'glyphs', message: expect.stringContaining('字体') }])
})

test('comments and filled fields are reported', async () => {
  const note = '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Please check this)>>'
  const pdf = makePdf([{ content: latin(60, 700, 'Hello there') }], { objects: [note] })
  const annotated = Buffer.from(pdf.toString('latin1').replace('/Rotate 0', '/Annots[8 0 R]'), 'latin1')
  expect(reasonsOf(await take(annotated, 'a.pdf'))).toEqual(['layout', 'note'])
})

test('superscripts are written by the characters of Unicode, as far as there are any', async () => {
  const raised = [
    latin(60, 700, 'about 10'),
    latin(106.7, 704, '6', 8),
    latin(60, 600, '1'),
    latin(66.7, 604, 'st', 8),
  ]
  const texts = textsOf(await take(makePdf([{ content: raised.join('\n') }]), 'a.pdf'))
  expect(texts).toEqual(['about 10⁶', '1st'])
})
