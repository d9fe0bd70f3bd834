import type { Place } from '#contract/readings.ts'
import { decodeXml, scanXml } from '../containers/xml.ts'
import type { XmlText } from '../rewriting/xml.ts'
import type { Unit } from '../rewriting/draft.ts'
import type { Office } from '../rewriting/package.ts'

/** A sheet, and what its translation needs of its cells. */
export type Sheet = {
  path: string
  name: string
  /** Cells whose texts are names in a table or of a pivot table: `A1`. */
  namedCells: Set<string>
  /** Numbers of shared strings, by those cells. */
  sharedCells: Map<string, number>
  /** Those cells, by the place of their inline string in the source. */
  inlineCells: Map<number, string>
  /** Cells that hold their text as a value, without a formula. */
  plainCells: (XmlText & { range: string })[]
  /** Places of inline strings and values that stay. */
  keptStarts: Set<number>
  units: Map<string, Unit>
  /** A formula names a column. */
  hasNames: boolean
}

export const createSheet = (path: string, name: string): Sheet => ({
  path,
  name,
  namedCells: new Set(),
  sharedCells: new Map(),
  inlineCells: new Map(),
  plainCells: [],
  keptStarts: new Set(),
  units: new Map(),
  hasNames: false,
})

/** Scans a sheet only once: it may have a million cells. `places` gets the first place of each shared string. */
export function scanSheet({ read, draft }: Office, sheet: Sheet, places: Map<number, Place>): void {
  const content = read(sheet.path)
  if (!content) return
  let [row, column] = [0, 0]
  let [range, type, element] = ['', '', '']
  let value: XmlText | undefined
  let hasFormula = false
  const place = { sheet: sheet.name }
  scanXml(decodeXml(content), {
    open(name, attributes, start) {
      element = name
      const { prompt = '', error = '', r, t = '' } = attributes
      if (name === 'dataValidation' && /\p{L}/u.test(prompt + error))
        draft.keep('choices', prompt || error, place)
      else if (name === 'row') [row, column] = [r ? Number(r) : row + 1, 0]
      else if (name === 'c') {
        // A cell without a reference stands behind the one before it (ECMA-376 part 1, 18.3.1.4).
        column = r ? toNumber(r.replace(/\d+$/, '')) : column + 1
        range = r ?? `${toLetters(column)}${row}`
        type = t
        value = undefined
        hasFormula = false
      } else if (name === 'is' && sheet.namedCells.has(range)) sheet.inlineCells.set(start, range)
      else if (name === 'f') hasFormula = true
    },
    text(text, start, end) {
      if (element === 'v' && type === 's') {
        if (sheet.namedCells.has(range)) sheet.sharedCells.set(range, Number(text))
        if (!places.has(Number(text))) places.set(Number(text), { ...place, range })
      } else if (element === 'v' && type === 'str') value = { text, start, end }
      else if (/^(f|formula[12]?)$/.test(element)) {
        if (/\[(?!\d+\])/.test(text)) sheet.hasNames = true
        if (element === 'formula1' && /^\s*".*\p{L}/u.test(text)) draft.keep('choices', text.trim(), place)
        else if (/^(f|formula)$/.test(element) && /"[^"]*\p{L}[^"]*"/u.test(text))
          draft.keep('formula_text', sheet.name, place)
      }
    },
    close(name) {
      element = ''
      if (name !== 'c' || !value) return
      if (!hasFormula) sheet.plainCells.push({ ...value, range })
      else if (/\p{L}/u.test(value.text)) draft.keep('formula_text', sheet.name, place)
      value = undefined
    },
  })
}

export const toNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
export const toLetters = (number: number): string =>
  number <= 0 ? '' : toLetters(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26))
