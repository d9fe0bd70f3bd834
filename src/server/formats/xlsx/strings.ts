import { decodeXml, scanXml } from '../containers/xml.ts'
import { toUnicode } from '../office/symbols.ts'
import { addMarks, escapeText } from '../text/markdown.ts'

/** Marks of a cell's font, or of a part of its text, that change what the text means. */
export type FontMarks = { isStruckOut?: boolean; script?: 'sup' | 'sub'; font?: string }

/** Collects the marks of a font from its elements. */
export function readFontMark(marks: FontMarks, name: string, attributes: Record<string, string>): void {
  const { val = '' } = attributes
  if (name === 'strike') marks.isStruckOut = !/^(0|false)$/.test(val)
  else if (name === 'vertAlign' && val === 'superscript') marks.script = 'sup'
  else if (name === 'vertAlign' && val === 'subscript') marks.script = 'sub'
  else if (name === 'rFont' || name === 'name') marks.font = val
}

/** Writes a text with the marks of its font as Markdown. */
export const formatMarked = (text: string, { isStruckOut, script, font }: FontMarks): string =>
  addMarks(escapeText(toUnicode(text, font)), { script, isStruckOut })

/** A part of a cell's text. One that states a font has the whole of it; others, without `marks`, have the cell's. */
type TextRun = { text: string; marks: FontMarks | undefined }

/** The text of a cell; most have the font of their cells as a whole, and a workbook may have millions of them. */
export type CellText = string | TextRun[]

/** Writes the text of a cell as Markdown, where `marks` are those of the cell's font. */
export const formatCellText = (text: CellText, marks: FontMarks): string =>
  typeof text === 'string'
    ? formatMarked(text, marks)
    : text.map((run) => formatMarked(run.text, run.marks ?? marks)).join('')

/** Collects the text of a string item (`si`, `is`; ECMA-376 part 1, 18.4.8) while its elements are scanned. */
export type StringItem = {
  open: (name: string, attributes: Record<string, string>) => void
  text: (text: string) => void
  close: (name: string) => void
  /** Returns what was collected, and begins anew. */
  take: () => CellText
}

export function createStringItem(): StringItem {
  let runs: TextRun[] = []
  let run: TextRun = { text: '', marks: undefined }
  let isText = false
  // The phonetic guide of a cell is shown on request only.
  let isPhonetic = false
  const endRun = (): void => {
    const last = runs.at(-1)
    if (last && !last.marks && !run.marks) last.text += run.text
    else if (run.text) runs.push(run)
    run = { text: '', marks: undefined }
  }
  return {
    open(name, attributes) {
      if (name === 'rPh') isPhonetic = true
      else if (name === 'r') endRun()
      else if (name === 'rPr') run.marks = {}
      else if (run.marks) readFontMark(run.marks, name, attributes)
      isText = name === 't' && !isPhonetic
    },
    text(text) {
      if (isText) run.text += text
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'r') endRun()
    },
    take() {
      endRun()
      const text = runs.some(({ marks }) => marks) ? runs : (runs[0]?.text ?? '')
      runs = []
      return text
    },
  }
}

/** Reads the strings that the cells of a workbook refer to. */
export function readSharedStrings(bytes: Buffer | undefined): CellText[] {
  const strings: CellText[] = []
  if (!bytes) return strings
  const item = createStringItem()
  scanXml(decodeXml(bytes), {
    open: item.open,
    text: item.text,
    close(name) {
      item.close(name)
      if (name === 'si') strings.push(item.take())
    },
  })
  return strings
}
