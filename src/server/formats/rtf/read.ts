import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatTable } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'

/** Character sets of fonts and code pages of files → encodings. */
const CHARSETS: Record<number, string> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  177: 'windows-1255',
  178: 'windows-1256',
  204: 'windows-1251',
  238: 'windows-1250',
}
const CODE_PAGES: Record<number, string> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
  10000: 'macintosh',
}
/** Groups that are no text of the document. */
const DROPPED = new Set(
  'fonttbl colortbl stylesheet info pict object fldinst themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl mmathPr filetbl revtbl pgptbl bkmkstart bkmkend nonshppict header headerl headerr headerf footer footerl footerr footerf'.split(
    ' ',
  ),
)
const CHARACTERS: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  '~': ' ',
  _: '-',
}
const MAX_GROUPS = 1000

type Group = { isDropped: boolean; font: number; skip: number }

/** Reads Rich Text Format: paragraphs, lists, tables and outline levels. */
export async function readRtf({ input }: Document, output: Output): Promise<void> {
  const source = readAll(input, output.limits.whole_bytes).toString('latin1')
  output.begin('section', 1)
  const sections = new Sections(output)
  writeRtf(source, sections, output)
  sections.end()
  output.endUnit()
}

const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi

function writeRtf(source: string, sections: Sections, output: Output): void {
  const fonts = readFonts(source)
  let encoding =
    CODE_PAGES[Number(/\\ansicpg(\d+)/.exec(source)?.[1] ?? 0)] ??
    `windows-${/\\ansicpg(125\d)/.exec(source)?.[1] ?? '1252'}`
  const groups: Group[] = [{ isDropped: false, font: -1, skip: 1 }]
  let text = ''
  let bytes: number[] = []
  let toSkip = 0
  let [inTable, heading, isItem, level] = [false, 0, false, 0]
  let row: string[] = []
  let rows: string[][] = []
  const group = (): Group => groups.at(-1) ?? { isDropped: false, font: -1, skip: 1 }
  const flushBytes = (): void => {
    if (!bytes.length) return
    text += new TextDecoder(fonts.get(group().font) ?? encoding).decode(new Uint8Array(bytes))
    bytes = []
  }
  const takeText = (): string => {
    flushBytes()
    const escapedText = escapeText(text.trim())
    text = ''
    return escapedText
  }
  const flushTable = (): void => {
    if (rows.length) sections.block(formatTable(rows))
    rows = []
  }
  const endParagraph = (): void => {
    const isNumbered = /^(\d+[.)]|[•·\uF0B7-])\s*\t?/.exec(text.trim())
    if (inTable) {
      flushBytes()
      text += '\n'
      return
    }
    const paragraph = takeText().replace(/\t+/g, ' ')
    flushTable()
    if (!paragraph) return
    if (heading) sections.heading(heading + 1, paragraph)
    else if (isItem || isNumbered) {
      const marker = /^\d+[.)]/.exec(paragraph)?.[0] ?? '-'
      sections.block(`${'  '.repeat(level)}${marker} ${paragraph.replace(/^(\d+[.)]|[•·\uF0B7-])\s*/, '')}`)
    } else sections.block(paragraph)
  }
  const addText = (added: string): void => {
    if (group().isDropped) return
    flushBytes()
    const rest = added.slice(toSkip)
    toSkip = Math.max(0, toSkip - added.length)
    text += rest
  }
  const control = (word: string, value: number | undefined): void => {
    if (DROPPED.has(word)) {
      if (word === 'pict' && !group().isDropped) output.skip('picture', '图片')
      group().isDropped = true
    }
    if (group().isDropped) return
    if (word === 'par' || word === 'sect' || word === 'page') endParagraph()
    else if (word === 'pard') [inTable, heading, isItem, level] = [false, 0, false, 0]
    else if (word === 'intbl') inTable = true
    else if (word === 'outlinelevel') heading = (value ?? 0) < 9 ? (value ?? 0) + 1 : 0
    else if (word === 'ls') isItem = value !== 0
    else if (word === 'ilvl') level = Math.min(8, Math.max(0, value ?? 0))
    else if (word === 'cell') row.push(takeText())
    else if (word === 'row') {
      if (row.length) rows.push(row)
      row = []
    } else if (word === 'f') {
      flushBytes()
      group().font = value ?? -1
    } else if (word === 'uc') group().skip = Math.min(10, Math.max(0, value ?? 1))
    else if (word === 'u' && value !== undefined) {
      flushBytes()
      text += String.fromCharCode(value < 0 ? value + 65_536 : value)
      toSkip = group().skip
    } else if (word === 'mac') encoding = 'macintosh'
    else if (Object.hasOwn(CHARACTERS, word)) addText(CHARACTERS[word] ?? '')
  }
  for (const [, word, digits, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    if (word) control(word, digits === undefined ? undefined : Number(digits))
    else if (hex !== undefined) {
      if (group().isDropped) continue
      if (toSkip > 0) toSkip--
      else bytes.push(Number.parseInt(hex, 16))
    } else if (brace === '{') {
      flushBytes()
      if (groups.length < MAX_GROUPS) groups.push({ ...group() })
    } else if (brace === '}') {
      flushBytes()
      if (groups.length > 1) groups.pop()
    } else if (symbol === '*') group().isDropped = true
    else if (symbol && Object.hasOwn(CHARACTERS, symbol)) addText(CHARACTERS[symbol] ?? '')
    else if (symbol && '\\{}'.includes(symbol)) addText(symbol)
    else if (plain) addText(plain)
  }
  inTable = false
  if (row.length) rows.push(row)
  endParagraph()
  flushTable()
}

/** Returns the encodings of fonts by their numbers. */
function readFonts(source: string): Map<number, string> {
  const start = source.indexOf('{\\fonttbl')
  const table = start < 0 ? '' : source.slice(start, start + 100_000)
  const fonts = new Map<number, string>()
  for (const [, font, charset] of table.matchAll(/\\f(\d+)[^;{}]{0,200}?\\fcharset(\d+)/g)) {
    const encoding = CHARSETS[Number(charset)]
    if (encoding) fonts.set(Number(font), encoding)
  }
  return fonts
}
