import { decodeBytes } from '../text/byte-decoder.ts'

/** Character sets of fonts and code pages of files → encodings. */
const CHARSETS: Record<number, string> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const CODE_PAGES: Record<number, string> = {
  437: 'windows-1252',
  708: 'iso-8859-6',
  850: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
  10000: 'macintosh',
}

/** A font of the file: its name, and the encoding of its characters where it has one of its own. */
export type RtfFont = { name: string; encoding?: string }

/** Returns the encoding of a file's text. */
export function findEncoding(source: string): string {
  if (/^\{\\rtf1?\\mac\b/.test(source)) return 'macintosh'
  const [, page = ''] = /\\ansicpg(\d+)/.exec(source) ?? []
  return toEncoding(Number(page))
}

const toEncoding = (page: number): string =>
  CODE_PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')

/** Returns the fonts by their numbers. */
export function readFonts(source: string): Map<number, RtfFont> {
  const start = source.indexOf('{\\fonttbl')
  const table = start < 0 ? '' : source.slice(start, start + 100_000)
  const fonts = new Map<number, RtfFont>()
  const pattern = /\\f(\d+)((?:[^;{}]|\{[^{}]*\}){0,300});/g
  for (const [, number, rest = ''] of table.matchAll(pattern)) {
    const charset = Number(/\\fcharset(\d+)/.exec(rest)?.[1] ?? 1)
    const name = rest
      .replace(/\{[^{}]*\}/g, '')
      .replace(/\\'[\da-f]{2}|\\[a-z]+-?\d* ?/gi, '')
      .trim()
    const page = /\\cpg(\d+)/.exec(rest)?.[1]
    const encoding = CHARSETS[charset] ?? (page ? toEncoding(Number(page)) : undefined)
    fonts.set(Number(number), { name, ...(encoding ? { encoding } : {}) })
  }
  return fonts
}

/** Encodings in which a byte above 0x80 begins a character of two. */
const DOUBLE = new Set(['gb18030', 'big5', 'shift_jis', 'euc-kr'])

/** Tells whether the last of these bytes begins a character that another byte ends. */
export function isIncomplete(bytes: number[], encoding: string): boolean {
  if (!DOUBLE.has(encoding)) return false
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at]!
    const isSingle = byte < 0x81 || (encoding === 'shift_jis' && byte >= 0xa0 && byte < 0xe0)
    at += isSingle ? 1 : 2
  }
  return at > bytes.length
}

const HEADING = /^(?:heading|标题|標題|titre|überschrift)\s*(\d)$/i
const TITLE = /^(?:title|标题)$/i

/** Returns the levels of headings by the numbers of styles; 0 is the title. */
export function readHeadings(source: string, encoding: string): Map<number, number> {
  const start = source.indexOf('{\\stylesheet')
  const sheet = start < 0 ? '' : source.slice(start, start + 200_000)
  const headings = new Map<number, number>()
  const pattern = /\{\\s(\d{1,5})(?!\d)((?:[^;{}]|\{[^{}]{0,300}\}){0,1500});/g
  for (const [, number, rest = ''] of sheet.matchAll(pattern)) {
    const outline = Number(/\\outlinelevel(\d)/.exec(rest)?.[1] ?? 9)
    const bytes = rest
      .replace(/\{[^{}]*\}/g, '')
      .replace(/\\[a-z]+-?\d* ?/gi, '')
      .replace(/\\'([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    const name = decodeBytes(Buffer.from(bytes, 'latin1'), encoding).text.trim()
    const level = HEADING.exec(name)?.[1]
    if (TITLE.test(name)) headings.set(Number(number), 0)
    else if (level) headings.set(Number(number), Number(level))
    else if (outline < 9) headings.set(Number(number), outline + 1)
  }
  return headings
}
