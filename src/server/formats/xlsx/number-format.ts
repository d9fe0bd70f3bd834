import { findPath, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'

/** Built-in formats by their ids (ECMA-376, 18.8.30), as far as they change what a number means. */
const BUILT_IN: Record<number, string> = {
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

/** Returns the codes of number formats by the indexes of cells' styles. */
export function readNumberFormats(styles: XmlNode | undefined): string[] {
  const root = findPath(styles, 'styleSheet')
  const customFormats = new Map(
    getChildren(findPath(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode ?? '',
    ]),
  )
  return getChildren(findPath(root, 'cellXfs'), 'xf').map(
    ({ attributes }) =>
      customFormats.get(attributes.numFmtId) ?? getBuiltInFormat(Number(attributes.numFmtId)),
  )
}

const DAY_MS = 86_400_000

/** Formats a number as its cell shows it, as far as that changes its meaning: a date, a time, a percentage. */
export function formatCellNumber(value: string, format = '', is1904 = false): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  // Quoted texts, colours, conditions and languages are dropped; the first section is for positive numbers.
  const code =
    format
      .slice(0, 200)
      .replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
      .split(';')[0] ?? ''
  if (/^general$/i.test(code)) return cleanFloat(number)
  const hasDay = /[yd]/i.test(code) || /mmm/i.test(code)
  const hasTime = /[hs]/i.test(code)
  if (hasDay || hasTime)
    return formatDate(number, {
      hasDay,
      hasTime,
      hasSeconds: /s/i.test(code),
      hasDate: /d/i.test(code),
      isSpan: /\[h+\]/i.test(code),
      is1904,
    })
  if (code.includes('%')) return `${cleanFloat(number * 100)}%`
  return cleanFloat(number)
}

type DateParts = {
  hasDay: boolean
  hasTime: boolean
  hasSeconds: boolean
  hasDate: boolean
  isSpan: boolean
  is1904: boolean
}

function formatDate(
  number: number,
  { hasDay, hasTime, hasSeconds, hasDate, isSpan, is1904 }: DateParts,
): string {
  if (number < 0 || number > 2_958_466) return cleanFloat(number)
  if (isSpan) return `${Math.floor(number * 24)}:${formatTime(number, hasSeconds).slice(3)}`
  // Excel believes that 1900 was a leap year.
  const days = is1904 ? number + 1462 : number < 60 ? number + 1 : number
  const date = new Date(Math.round((days - 25_569) * DAY_MS)).toISOString()
  const day = hasDate ? date.slice(0, 10) : date.slice(0, 7)
  if (!hasDay) return formatTime(number, hasSeconds)
  return hasTime ? `${day} ${formatTime(number, hasSeconds)}` : day
}

function formatTime(number: number, hasSeconds: boolean): string {
  const time = new Date(Math.round((number % 1) * DAY_MS)).toISOString()
  return time.slice(11, hasSeconds ? 19 : 16)
}

/** Rounds to fifteen digits, as spreadsheets do: 0.1 + 0.2 is shown as 0.3. */
const cleanFloat = (number: number): string => String(Number(number.toPrecision(15)))
