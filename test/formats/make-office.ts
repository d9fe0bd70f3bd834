import { makeZip } from './make-container.ts'

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Makes the part of a package that names the others. */
export const relations = (list: [id: string, type: string, target: string, external?: boolean][]): string =>
  `<Relationships>${list.map(([id, type, target, external]) => `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`).join('')}</Relationships>`

/** Makes a workbook of these sheets; shared strings: 日期, 金额, 合计; second style: a date; third: a percentage. */
export function makeXlsx(sheets: Record<string, string>, parts: Record<string, string> = {}): Buffer {
  const names = Object.keys(sheets)
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATION}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, index): [string, string, string] => [
        `r${index}`,
        'worksheet',
        `worksheets/sheet${index}.xml`,
      ]),
      ['s', 'sharedStrings', 'sharedStrings.xml'],
      ['t', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml':
      '<sst><si><t>日期</t></si><si><r><t>金</t></r><r><t>额</t></r><rPh><t>キン</t></rPh></si><si><t>合计</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="176"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet>${sheets[name]}</worksheet>`,
      ]),
    ),
    ...parts,
  })
}

/** The namespaces of slides and their charts. */
export const P = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELATION}" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"`
/** Makes a box of these lines on a slide. */
export const shape = (text: string, placeholder = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${text
    .split('\n')
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

/** Makes slides of these shapes, in their order of display; the first one is in the last file, as after a move. */
export function makePptx(slides: string[], parts: Record<string, string> = {}): Buffer {
  const numbers = slides.map((_, index) => slides.length - index)
  return makeZip({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst>${numbers.map((n) => `<p:sldId r:id="s${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      numbers.map((n): [string, string, string] => [`s${n}`, 'slide', `slides/slide${n}.xml`]),
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [
        `ppt/slides/slide${slides.length - index}.xml`,
        `<p:sld ${P}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...parts,
  })
}

/** The namespaces of Word documents. */
export const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
/** Makes a paragraph of one run. */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
export const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`

/** Makes a Word document; numbering 5 counts 第一章, then 1., style `a` is a heading. */
export const makeDocx = (
  body: string,
  parts: Record<string, string> = {},
  list: Parameters<typeof relations>[0] = [],
): Buffer =>
  makeZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations([
      ['s', 'styles', 'styles.xml'],
      ['n', 'numbering', 'numbering.xml'],
      ...list,
    ]),
    'word/styles.xml': `<w:styles ${W}><w:style w:styleId="1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="a"><w:name w:val="自定义标题"/><w:basedOn w:val="1"/></w:style></w:styles>`,
    'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="第%1章"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%2."/></w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ...parts,
  })
