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
  return CODE_PAGES[Number(page)] ?? (/^125\d$/.test(page) ? `windows-${page}` : 'windows-1252')
}

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
    const encoding = CHARSETS[charset]
    fonts.set(Number(number), { name, ...(encoding ? { encoding } : {}) })
  }
  return fonts
}
