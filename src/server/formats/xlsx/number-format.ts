import { format, getFormatDateInfo, isPercentFormat } from 'numfmt'
import { findPath, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { readFontMark } from './strings.ts'
import type { FontMarks } from './strings.ts'

/** Built-in formats by their ids (ECMA-376, 18.8.30), as far as they change what a number means. */
const BUILT_IN: Record<number, string> = {
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy-mm',
  28: 'yyyy-mm-dd',
  29: 'yyyy-mm-dd',
  30: 'yyyy-mm-dd',
  31: 'yyyy-mm-dd',
  32: 'h:mm',
  33: 'h:mm:ss',
  34: 'h:mm',
  35: 'h:mm:ss',
  36: 'yyyy-mm',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  50: 'yyyy-mm',
  51: 'yyyy-mm-dd',
  52: 'yyyy-mm',
  53: 'yyyy-mm-dd',
  54: 'yyyy-mm-dd',
  55: 'h:mm',
  56: 'h:mm:ss',
  57: 'yyyy-mm',
  58: 'yyyy-mm-dd',
}

export const getBuiltInFormat = (id: number): string => BUILT_IN[id] ?? ''

/** How the cells of a style show their values: the code of their numbers, and the marks of their font. */
export type CellFormat = { code: string; marks: FontMarks }

/** Returns the formats of cells by the indexes of their styles. */
export function readCellFormats(styles: XmlNode | undefined): CellFormat[] {
  const root = findPath(styles, 'styleSheet')
  const customFormats = new Map(
    getChildren(findPath(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode ?? '',
    ]),
  )
  const fonts = getChildren(findPath(root, 'fonts'), 'font').map((font) => {
    const marks: FontMarks = {}
    for (const { name, attributes } of getChildren(font)) readFontMark(marks, name, attributes)
    return marks
  })
  return getChildren(findPath(root, 'cellXfs'), 'xf').map(({ attributes: { numFmtId, fontId } }) => ({
    code: customFormats.get(numFmtId) ?? getBuiltInFormat(Number(numFmtId)),
    marks: fonts[Number(fontId ?? 0)] ?? {},
  }))
}

/** Longer codes are none that a spreadsheet would take (ECMA-376, 18.8.30). */
const MAX_CODE_CHARS = 255
const FORMAT_OPTIONS = { locale: 'zh-CN', dateSpanLarge: false }

/** A cell that shows fewer digits than these says too little of its value. */
const MIN_DECIMALS = 2
const MIN_DIGITS = 3

/**
 * Formats a number as its cell shows it, except where that says much less than the value: a number of which hardly a digit is
 * shown and signs that are a colour are kept, and dates are written in one form. One that is shown in thousands stays so, with all
 * its digits.
 */
export function formatCellNumber(value: string, formatCode = '', is1904 = false): string {
  const code = replaceEscapes(formatCode)
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (!code || code.length > MAX_CODE_CHARS) return cleanFloat(number)
  try {
    const pattern = toDatePattern(code)
    // Spans of time have no first day.
    const isDated = is1904 && !pattern?.startsWith('[')
    if (pattern) return format(pattern, isDated ? number + 1462 : number, FORMAT_OPTIONS)
    const scaled = addDecimals(code, number)
    const isScaled = scaled !== code
    const text = format(scaled, number, FORMAT_OPTIONS).trim()
    const shown = isScaled ? tidyPoints(text) : text
    const exact = isPercentFormat(code) ? `${cleanFloat(number * 100)}%` : cleanFloat(number)
    // The library writes 0.00000077 as 0.7e-7.
    if (/\de-\d/.test(shown)) return exact
    const isWhole = /\d/.test(shown) && getDigits(shown) === getDigits(exact)
    const hasSign = number >= 0 || /[-(]/.test(shown)
    if (isScaled && isWhole) return hasSign ? shown : `-${shown}`
    if (isScaled) return exact
    const [, decimals = ''] = /\.(\d+)/.exec(shown) ?? []
    // General fits a number to the width of its column.
    const isPrecise =
      !/general/i.test(code) && decimals.length >= MIN_DECIMALS && getDigits(shown).length >= MIN_DIGITS
    return (isWhole || isPrecise) && hasSign ? shown : exact
  } catch {
    // A code that no spreadsheet would take.
    return cleanFloat(number)
  }
}

/** Writes the escapes `!` of East Asian editions as `\\`: `0!.0,"万"`. */
const replaceEscapes = (code: string): string =>
  code.replace(/"[^"]*"|\\.|!(.)/g, (whole, escaped: string | undefined) =>
    escaped ? `\\${escaped}` : whole,
  )

/**
 * Adds the decimals that a number needs where a code scales it, as `#,##0,` does in a column in thousands. Its unit stands in a
 * heading or behind the number: the value itself would be a thousand times too large there, and what is shown lacks digits.
 */
function addDecimals(code: string, number: number): string {
  const { length: own } = /\.(\d+)$/.exec(cleanFloat(number))?.[1] ?? ''
  const add = (_: string, point = '.', commas = ''): string =>
    point + '#'.repeat(Math.max(1, own + 3 * commas.length - point.length + 1)) + commas
  return code.replace(/"[^"]*"|\\.|[_*].|[0#?][0#?,.]*/g, (part) =>
    /^[0#?].*,$/.test(part) ? part.replace(/(\.[0#?]*)?(,+)$/, add) : part,
  )
}

/** Removes a point without decimals, and the second one in `1.2.345`: the first is an escape, as in `0!.0,` for 万元. */
const tidyPoints = (shown: string): string => shown.replace(/(?<=\d)\.(?!\d)|(?<=\.\d+)\.(?=\d)/g, '')

/** Returns the pattern in which a date or a time of this code is written; undefined for other numbers. */
function toDatePattern(code: string): string | undefined {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code)
  const hasTime = hours || minutes || seconds
  if (/\[(h+|m+|s+)\]/i.test(code)) return seconds ? '[h]:mm:ss' : '[h]:mm'
  const days = day ? 'yyyy-mm-dd' : year && !month ? 'yyyy' : 'yyyy-mm'
  // In `mm:ss` the minutes are taken for months.
  const date = year || day || (month && !hasTime) ? days : ''
  const time = seconds ? 'hh:mm:ss' : hasTime ? 'hh:mm' : ''
  return [date, time].filter(Boolean).join(' ') || undefined
}

/** Returns the digits that count: those of `1,234.50` are 12345. */
const getDigits = (text: string): string => text.replace(/\D/g, '').replace(/^0+|0+$/g, '')

/** Rounds to fifteen digits, as spreadsheets do: 0.1 + 0.2 is shown as 0.3. */
const cleanFloat = (number: number): string => String(Number(number.toPrecision(15)))
