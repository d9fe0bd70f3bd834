import { expect, test } from 'vitest'
import { relations } from './make-office.ts'
import { makeZip } from './make-container.ts'
import { read, textOf } from './read.ts'
import { listPaths, markOf, readSchema, writePaths } from './schemas/schema.ts'

/**
 * Every element that can hold text, wherever its schema allows it, is read, or its file's report says that it is not; a few hold
 * no text of the document. The schemas are those of ECMA-376 (part 4, with what old programs wrote) and of OpenDocument 1.2.
 */
type Case = {
  /** Parts of the file around the one that is walked. */
  parts: Record<string, string>
  part: string
  schema: 'ooxml' | 'odf'
  root: string
  /** Elements that a document has once. */
  shared: RegExp
  attributes?: Record<string, string>
  /** XML before and behind the root, where it is no document of its own. */
  around?: [string, string]
  name?: string
  /** Paths that another case walks. */
  skipped?: RegExp
  /** Patterns of paths whose text is none of the document, with the reason. */
  none: [pattern: RegExp, reason: string][]
}

const NAMESPACES = [
  ['w', 'wordprocessingml/2006/main'],
  ['m', 'officeDocument/2006/math'],
  ['r', 'officeDocument/2006/relationships'],
  ['a', 'drawingml/2006/main'],
  ['c', 'drawingml/2006/chart'],
  ['dgm', 'drawingml/2006/diagram'],
  ['xdr', 'drawingml/2006/spreadsheetDrawing'],
  ['p', 'presentationml/2006/main'],
  ['s', 'spreadsheetml/2006/main'],
]
const XMLNS = NAMESPACES.map(
  ([prefix, name]) => ` xmlns:${prefix}="http://schemas.openxmlformats.org/${name}"`,
).join('')

const REMOVED: [RegExp, string] = [
  /\/w:(del|moveFrom)\/|\/w:(delText|delInstrText)$/,
  'removed by a revision',
]
const CODE: [RegExp, string] = [
  /\/w:(instrText|fldData)$/,
  'says how a field is calculated, or keeps what a program needs',
]

const docx = (part: string, type: string, root: string): Case => ({
  parts: {
    'word/document.xml': `<w:document${XMLNS}><w:body><w:p><w:r><w:t>正文</w:t><w:drawing><c:chart r:id="r1"/><dgm:relIds r:dm="r1"/></w:drawing></w:r></w:p></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations([['r1', type, part]]),
  },
  part: `word/${part}`,
  schema: 'ooxml',
  root,
  shared:
    /^w:(document|body|hdr|ftr|comments|footnotes|endnotes)$|^(c:(chartSpace|chart)|dgm:(dataModel|ptLst))$/,
  none: [REMOVED, CODE],
})

const cases: Record<string, Case> = {
  'a Word document': docx('document.xml', 'none', 'w:document'),
  'a header': docx('header1.xml', 'header', 'w:hdr'),
  'a footer': docx('footer1.xml', 'footer', 'w:ftr'),
  footnotes: docx('footnotes.xml', 'footnotes', 'w:footnotes'),
  endnotes: docx('endnotes.xml', 'endnotes', 'w:endnotes'),
  comments: docx('comments.xml', 'comments', 'w:comments'),
  'a chart': {
    ...docx('charts/chart1.xml', 'chart', 'c:chartSpace'),
    shared: /^c:(chartSpace|chart|plotArea)$/,
    attributes: { 'c:pt': ' idx="0"' },
    none: [
      [/\/c:(f|formatCode)$/, 'a reference to cells, or the form of their numbers'],
      [/\/c:separator$/, 'stands between the parts of a label'],
      [/\/c:(printSettings|pivotSource)\//, 'a page of the chart alone, and the name of the table behind it'],
      [/\/c:errBars\//, 'the length of an error bar'],
    ],
  },
  'a diagram': { ...docx('diagrams/data1.xml', 'diagramData', 'dgm:dataModel'), none: [] },
}

const MAIN = `xl/worksheets/sheet1.xml`
const xlsx = (part: string, root: string, type = 'none', sheet = '<s:sheetData/>'): Case => ({
  parts: {
    'xl/workbook.xml': `<s:workbook${XMLNS}><s:sheets><s:sheet name="表" r:id="r1"/></s:sheets></s:workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    [MAIN]: `<s:worksheet${XMLNS}>${sheet}</s:worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relations([['r1', type, `/${part}`]]),
  },
  part,
  schema: 'ooxml',
  root,
  shared: /^s:(worksheet|chartsheet|sheetData|sst|comments|authors|commentList|workbook)$|^xdr:wsDr$/,
  none: [],
  name: 'a.xlsx',
})
const FORMULA: [RegExp, string] = [/\/s:(formula\d?|definedName)$/, 'a rule, or a name in formulas']
const PHONETIC: [RegExp, string] = [/\/s:rPh\//, 'a phonetic guide that a sheet shows on request only']

const pptx = (part: string, root: string, relations1: [string, string, string][] = []): Case => ({
  parts: {
    'ppt/presentation.xml': `<p:presentation${XMLNS}><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([['r1', 'slide', 'slides/slide1.xml']]),
    'ppt/slides/slide1.xml': `<p:sld${XMLNS}><p:cSld><p:spTree/></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relations(relations1),
    'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout${XMLNS}><p:cSld><p:spTree/></p:cSld></p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations([
      ['r1', 'slideMaster', '/ppt/slideMasters/slideMaster1.xml'],
    ]),
  },
  part: `ppt/${part}`,
  schema: 'ooxml',
  root,
  shared: /^p:(sld|sldLayout|sldMaster|notes|cSld|spTree|timing|cmLst)$/,
  none: [],
  name: 'a.pptx',
})
const ANIMATION: [RegExp, string] = [/\/p:attrName$/, 'the name of what an animation changes']
const LAYOUT: [string, string, string] = ['r1', 'slideLayout', '/ppt/slideLayouts/slideLayout1.xml']

Object.assign(cases, {
  'a sheet': {
    ...xlsx(MAIN, 's:worksheet'),
    none: [FORMULA, PHONETIC, [/securityDescriptor$/, 'the users who may change cells']],
  },
  'shared strings': {
    ...xlsx(
      'xl/sharedStrings.xml',
      's:sst',
      'none',
      `<s:sheetData><s:row>${[0, 1, 2].map((at) => `<s:c t="s"><s:v>${at}</s:v></s:c>`).join('')}</s:row></s:sheetData>`,
    ),
    none: [PHONETIC],
  },
  'comments of a sheet': {
    ...xlsx('xl/comments1.xml', 's:comments', 'comments'),
    none: [PHONETIC, [/\/s:author$/, 'the name of the author']],
  },
  'a drawing over a sheet': xlsx('xl/drawings/drawing1.xml', 'xdr:wsDr', 'drawing'),
  'a sheet that is a chart': xlsx(MAIN, 's:chartsheet'),
  'a slide': { ...pptx('slides/slide1.xml', 'p:sld'), none: [ANIMATION] },
  'a table on a slide': {
    ...pptx('slides/slide1.xml', 'a:tbl'),
    none: [[/a:header$/, 'the name of the cell that heads a column']],
    around: [
      `<p:sld${XMLNS}><p:cSld><p:spTree><p:graphicFrame><a:graphic><a:graphicData>`,
      '</a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>',
    ],
  },
  'a layout': { ...pptx('slideLayouts/slideLayout1.xml', 'p:sldLayout', [LAYOUT]), none: [ANIMATION] },
  'a master': { ...pptx('slideMasters/slideMaster1.xml', 'p:sldMaster', [LAYOUT]), none: [ANIMATION] },
  'notes of a slide': pptx('notesSlides/notesSlide1.xml', 'p:notes', [
    ['r1', 'notesSlide', '/ppt/notesSlides/notesSlide1.xml'],
  ]),
  'comments of a slide': pptx('comments/comment1.xml', 'p:cmLst', [
    ['r1', 'comments', '/ppt/comments/comment1.xml'],
  ]),
} satisfies Record<string, Case>)

const ODF_XMLNS = [
  'office',
  'text',
  'table',
  'style',
  'presentation',
  'form',
  'chart',
  'number',
  'meta',
  'config',
  'animation',
]
  .map(
    (name) =>
      ` xmlns:${name === 'animation' ? 'anim' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .concat(
    ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    ' xmlns:dr3d="urn:oasis:names:tc:opendocument:xmlns:dr3d:1.0"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:math="http://www.w3.org/1998/Math/MathML"',
  )
  .join('')
const UNSHOWN: Case['none'] = [
  [/\/(svg|table):(title|desc)$/, 'describes a shape or a table for people who do not see it'],
  [/office:annotation\/(dc|meta):/, 'the author and the day of a comment without a text'],
  [/\/office:binary-data$/, 'the bytes of a picture'],
  [/math:math$/, 'has elements of MathML for its text'],
  [/\/text:index-(title-template|entry-span)$/, 'the pattern of an index'],
]
const REVISED: [RegExp, string] = [/tracked-changes\//, 'removed by a revision, or about one']
const TEXT_UNSHOWN: Case['none'] = [
  [/\/(number|config|meta):|office:(meta|scripts)\//, 'about the document, or about how numbers are written'],
  [/\/text:(note-continuation-notice|linenumbering-separator)/, 'stands where pages or lines break'],
]
const odf = (kind: string, extension: string, root = `office:${kind}`, around?: [string, string]): Case => ({
  parts: { mimetype: `application/vnd.oasis.opendocument.${kind === 'drawing' ? 'graphics' : kind}` },
  part: 'content.xml',
  schema: 'odf',
  root,
  shared: new RegExp(`^(${root})$`),
  around: around ?? [
    `<office:document-content${ODF_XMLNS}><office:body>`,
    '</office:body></office:document-content>',
  ],
  // Documents within others are walked once.
  ...(kind === 'text' ? {} : { skipped: /office:document/ }),
  none: [...UNSHOWN, ...(kind === 'text' ? TEXT_UNSHOWN : []), ...(/text|sheet/.test(kind) ? [REVISED] : [])],
  name: `a.${extension}`,
})
Object.assign(cases, {
  'an OpenDocument text': odf('text', 'odt'),
  'an OpenDocument sheet': odf('spreadsheet', 'ods'),
  'OpenDocument slides': odf('presentation', 'odp'),
  'an OpenDocument drawing': odf('drawing', 'odg'),
} satisfies Record<string, Case>)

test.each(Object.entries(cases))('every text of %s is read', async (_, each) => {
  const paths = listPaths(readSchema(each.schema), each.root).filter(
    (path) => !each.skipped?.test(path.join('/')),
  )
  const xml = writePaths(
    paths,
    (name) => each.shared.test(name),
    (name, path) => {
      const isInline = name === 's:c' && path.includes('s:is')
      return `<${name}${name === each.root ? XMLNS : ''}${each.attributes?.[name] ?? ''}${isInline ? ' t="inlineStr"' : ''}>`
    },
  )
  const [before, behind] = each.around ?? ['', '']
  const reading = await read(
    makeZip({ '[Content_Types].xml': '<Types/>', ...each.parts, [each.part]: before + xml + behind }),
    each.name ?? 'a.docx',
  )
  const text = textOf(reading)
  const missing = paths.filter((_path, index) => !text.includes(markOf(index)))
  const names = missing.map((path) => path.join('/'))
  expect(names.filter((name) => !each.none.some(([pattern]) => pattern.test(name)))).toEqual([])
  for (const [pattern, reason] of each.none)
    expect(
      names.filter((name) => pattern.test(name)),
      reason,
    ).not.toEqual([])
})
