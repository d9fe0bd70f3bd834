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
export const formatMarked = (text: string, marks: FontMarks): string => addFontMarks(escapeText(text), marks)

/** Adds the marks of a cell's font to its Markdown. */
export function addFontMarks(markdown: string, { isStruckOut = false, script, font }: FontMarks): string {
  // A part of the text may be struck out already.
  return addMarks(toUnicode(markdown, font), { script, isStruckOut: isStruckOut && !markdown.includes('~~') })
}

/** Collects the text of a string item (`si`, `is`; ECMA-376 part 1, 18.4.8) while its elements are scanned. */
export type StringItem = {
  open: (name: string, attributes: Record<string, string>) => void
  text: (text: string) => void
  close: (name: string) => void
  /** Returns what was collected as Markdown, and begins anew. */
  take: () => string
}

export function createStringItem(): StringItem {
  let runs: { text: string; marks: FontMarks }[] = []
  let run = { text: '', marks: {} as FontMarks }
  let isText = false
  // The phonetic guide of a cell is shown on request only.
  let isPhonetic = false
  const endRun = (): void => {
    if (run.text) runs.push(run)
    run = { text: '', marks: {} }
  }
  return {
    open(name, attributes) {
      if (name === 'rPh') isPhonetic = true
      else if (name === 'r') endRun()
      else readFontMark(run.marks, name, attributes)
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
      const text = runs.map((each) => formatMarked(each.text, each.marks)).join('')
      runs = []
      return text
    },
  }
}

/** Reads the strings that the cells of a workbook refer to, as Markdown. */
export function readSharedStrings(bytes: Buffer | undefined): string[] {
  const strings: string[] = []
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
