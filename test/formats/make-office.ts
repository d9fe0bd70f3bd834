import { makeZip } from './make-container.ts'

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Makes the part of a package that names the others. */
export const relations = (list: [id: string, type: string, target: string, external?: boolean][]): string =>
  `<Relationships>${list.map(([id, type, target, external]) => `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`).join('')}</Relationships>`

/** Makes a workbook of these sheets; shared strings: 日期, 金额, 合计; second style: a date; third: a percentage. */
export function makeXlsx(sheets: Record<string, string>): Buffer {
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
