import { codePoint } from 'dingbat-to-unicode'

/** Fonts whose letters are pictures or signs, by the names that files give them. */
const SYMBOL_FONT = /^(symbol|wingdings(?: [23])?|webdings)$/i
const TYPEFACES: Record<string, string> = {
  symbol: 'Symbol',
  wingdings: 'Wingdings',
  'wingdings 2': 'Wingdings 2',
  'wingdings 3': 'Wingdings 3',
  webdings: 'Webdings',
}
/** Check boxes of these fonts, checked and unchecked: the characters that Unicode has for them are in few fonts. */
const BOXES: Record<string, [checked: number[], unchecked: number[]]> = {
  wingdings: [
    [0x78, 0xfd, 0xfe],
    [0x6f, 0x70, 0x71, 0x72, 0xa8],
  ],
  'wingdings 2': [[0x52, 0x53, 0x54], [0xa3]],
}

export const isSymbolFont = (font = ''): boolean => SYMBOL_FONT.test(font)

/**
 * Writes a text in a font of symbols by the characters of Unicode that look like them. Such fonts lie in the private use area,
 * U+F020 to U+F0FF, or at the places of Latin letters. A sign that Unicode does not have is left out.
 */
export function toUnicode(text: string, font = ''): string {
  if (!isSymbolFont(font)) return text
  return Array.from(text, (character) => formatSymbol(character.codePointAt(0)!, font)).join('')
}

/** Writes one character of a font of symbols; one of another font in the private use area, or of no code, is left out. */
export function formatSymbol(code: number, font = ''): string {
  if (!(code >= 0 && code <= 0x10ffff)) return ''
  const index = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code
  if (!isSymbolFont(font)) return index === code ? String.fromCodePoint(code) : ''
  if (index > 0xff || index <= 0x20) return String.fromCodePoint(index)
  const [checked = [], unchecked = []] = BOXES[font.toLowerCase()] ?? []
  if (checked.includes(index)) return '☑'
  if (unchecked.includes(index)) return '☐'
  return codePoint(TYPEFACES[font.toLowerCase()]!, index)?.string ?? ''
}
