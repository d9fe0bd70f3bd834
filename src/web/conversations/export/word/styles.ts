import { BorderStyle, type IParagraphStyleOptions, ShadingType } from 'docx'

// Colours of the light theme, without `#`. Sizes are in half points, distances in twentieths of a point.
export const INK2 = '5D5A53'
const LINE = 'DEDAD1'
const ACCENT = '0B62A0'
const FILL = 'F1EFEA'

export const MONO = { ascii: 'Consolas', hAnsi: 'Consolas', eastAsia: 'Microsoft YaHei', cs: 'Consolas' }
const SANS = { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei', cs: 'Calibri' }
export const SHADE = { type: ShadingType.CLEAR, color: 'auto', fill: FILL }

const hairline = { style: BorderStyle.SINGLE, size: 4, color: LINE, space: 6 }
export const cellBorders = {
  top: { style: BorderStyle.SINGLE, size: 4, color: LINE },
  bottom: { style: BorderStyle.SINGLE, size: 4, color: LINE },
  left: { style: BorderStyle.NONE, size: 0, color: 'auto' },
  right: { style: BorderStyle.NONE, size: 0, color: 'auto' },
}
export const quoteBorder = { left: { style: BorderStyle.SINGLE, size: 18, color: ACCENT, space: 10 } }
export const ruleBorder = { bottom: hairline }

const code: IParagraphStyleOptions = {
  id: 'Code',
  name: 'Code',
  basedOn: 'Normal',
  run: { font: MONO, size: 19 },
  paragraph: {
    spacing: { before: 120, after: 120, line: 280 },
    border: { top: hairline, bottom: hairline, left: hairline, right: hairline },
  },
}
const question: IParagraphStyleOptions = {
  id: 'Question',
  name: 'Question',
  basedOn: 'Normal',
  paragraph: { spacing: { before: 360, after: 160 }, indent: { left: 120, right: 120 } },
}

const heading = (size: number, before: number) => ({
  run: { size, bold: true, font: SANS, color: '1D1C1A' },
  paragraph: { spacing: { before, after: 120 }, keepNext: true },
})

/** The styles of an exported document. */
export const styles = {
  default: {
    document: {
      run: { font: SANS, size: 22, color: '1D1C1A' },
      paragraph: { spacing: { after: 120, line: 340 } },
    },
    title: heading(36, 0),
    heading1: heading(30, 320),
    heading2: heading(26, 280),
    heading3: heading(24, 240),
    heading4: heading(22, 200),
    heading5: heading(22, 200),
    heading6: heading(22, 200),
    hyperlink: { run: { color: ACCENT, underline: {} } },
  },
  paragraphStyles: [code, question],
}
