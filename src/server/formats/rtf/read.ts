import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { formatField } from '../docx/fields.ts'
import { isSymbolFont, toUnicode } from '../office/symbols.ts'
import { escapeText } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import { Flow, PLAIN } from './flow.ts'
import type { TextMarks } from './flow.ts'
import { findEncoding, readFonts } from './fonts.ts'

/** Groups that are no text of the document. */
const DROPPED = new Set(
  'fonttbl colortbl stylesheet info object pict themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl mmathPr filetbl revtbl pgptbl bkmkstart bkmkend nonshppict shprslt pn pnseclvl atnid atnref atntime atndate mmathPict falt panose'.split(
    ' ',
  ),
)
/** Groups that programs may leave out if they do not know them, and that have text. */
const OPTIONAL =
  /^(shpinst|shptxt|do|dptxbxtext|annotation|atnauthor|ud|moMath|moMathPara|footnote|fldinst|shppict|formfield)$/
const CHARACTERS: Record<string, string> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  '~': ' ',
  _: '-',
}
/** Texts of a shape that are properties of it: words drawn as a picture, and the description of a picture. */
const SHAPE_TEXTS = /^(gtextUNICODE|wzDescription)$/
const MAX_GROUPS = 1000

type Field = { text?: string }

type Group = TextMarks & {
  isDropped: boolean
  isDeleted: boolean
  font: number
  skip: number
  flow: Flow
  /** The field that the group is a part of. */
  field?: Field
  /** The name of the shape's property that is being read. */
  property?: { name: string }
  /** The group has the same text twice, and the first is for old programs. */
  isDouble?: boolean
  end?: () => void
}

/** Reads Rich Text Format 1.9.1: paragraphs, lists, tables, outline levels, headers, notes, comments and boxes. */
export async function readRtf({ input }: Document, output: Output): Promise<void> {
  const source = readAll(input, output.limits.whole_bytes).toString('latin1')
  output.begin('section', 1)
  const sections = new Sections(output)
  const { headers, body, footers, notes } = parseRtf(source, output)
  for (const header of new Set(headers)) if (/\p{L}/u.test(header)) sections.block(header)
  body.write(sections)
  for (const footer of new Set(footers)) if (/\p{L}/u.test(footer)) sections.block(footer)
  for (const note of notes) sections.block(note)
  sections.end()
  output.endUnit()
}

const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi

function parseRtf(
  source: string,
  output: Output,
): { headers: string[]; body: Flow; footers: string[]; notes: string[] } {
  const fonts = readFonts(source)
  const encoding = findEncoding(source)
  const body = new Flow()
  const [headers, footers, notes]: string[][] = [[], [], []]
  const groups: Group[] = [{ ...PLAIN, isDropped: false, isDeleted: false, font: -1, skip: 1, flow: body }]
  let bytes: number[] = []
  let toSkip = 0
  let isOptional = false
  let isFirst = false
  let author = ''
  const group = (): Group => groups.at(-1)!

  const write = (text: string): void => {
    const { isDropped, isDeleted, flow, font } = group()
    if (isDropped || isDeleted) return
    const { name } = fonts.get(font) ?? {}
    flow.add(isSymbolFont(name) ? toUnicode(text, name) : text, group())
  }
  const flushBytes = (): void => {
    if (!bytes.length) return
    const { name, encoding: own } = fonts.get(group().font) ?? {}
    const label = isSymbolFont(name) ? 'latin1' : (own ?? encoding)
    write(
      label === 'latin1'
        ? String.fromCharCode(...bytes)
        : new TextDecoder(label).decode(new Uint8Array(bytes)),
    )
    bytes = []
  }
  const addText = (added: string): void => {
    if (group().isDropped) return
    flushBytes()
    const rest = added.slice(toSkip)
    toSkip = Math.max(0, toSkip - added.length)
    write(rest)
  }

  /** Begins a text of its own, which ends with its group. */
  const branch = (end: (flow: Flow, outer: Flow) => void): void => {
    const outer = group().flow
    const flow = new Flow()
    Object.assign(group(), PLAIN, { flow, end: () => end(flow, outer) })
  }
  const DESTINATIONS: Record<string, () => void> = {
    header: () => branch((flow) => headers!.push(flow.takeLine())),
    footer: () => branch((flow) => footers!.push(flow.takeLine())),
    footnote: () =>
      branch((flow, outer) => {
        const text = flow.takeLine()
        if (!text) return
        outer.add(`[^${notes!.length + 1}]`, PLAIN)
        notes!.push(`[^${notes!.length + 1}]: ${text}`)
      }),
    annotation: () =>
      branch((flow, outer) => {
        const text = flow.takeLine()
        if (text) outer.aside.push({ text: `> 批注${author ? `（${escapeText(author)}）` : ''}：${text}` })
      }),
    atnauthor: () =>
      branch((flow) => {
        author = flow.takeLine()
      }),
    shptxt: () =>
      branch((flow, outer) => {
        flow.end()
        outer.aside.push(...flow.blocks)
      }),
    sp: () => {
      group().property = { name: '' }
    },
    sn: () => {
      const { property } = group()
      branch((flow) => {
        if (property) property.name = flow.takeLine()
      })
    },
    sv: () => {
      const { property } = group()
      branch((flow, outer) => {
        const text = flow.takeLine()
        if (text && SHAPE_TEXTS.test(property?.name ?? '')) outer.aside.push({ text })
      })
    },
    field: () => {
      group().field = {}
    },
    fldinst: () => {
      const { field } = group()
      branch((flow, outer) => {
        const text = formatField(flow.takeLine())
        if (text === undefined) return
        if (field) field.text = text
        outer.add(text, PLAIN)
      })
    },
    fldrslt: () => {
      if (group().field?.text !== undefined) group().isDropped = true
    },
    upr: () => {
      group().isDouble = true
    },
    ud: () => {
      group().isDropped = groups.at(-3)?.isDropped ?? false
    },
  }
  for (const edge of ['headerl', 'headerr', 'headerf']) DESTINATIONS[edge] = DESTINATIONS.header!
  for (const edge of ['footerl', 'footerr', 'footerf']) DESTINATIONS[edge] = DESTINATIONS.footer!
  DESTINATIONS.dptxbxtext = DESTINATIONS.shptxt!

  const beginGroup = (word: string): void => {
    // A group in the place of the shape that is a picture holds the same for old programs.
    if (DROPPED.has(word)) {
      if (word === 'pict' && !group().isDropped) output.skip('picture', '图片')
      group().isDropped = true
    } else if (isOptional && !OPTIONAL.test(word)) group().isDropped = true
    else if (!group().isDropped || word === 'ud') DESTINATIONS[word]?.()
  }
  const control = (word: string, value: number | undefined): void => {
    if (isFirst || DROPPED.has(word)) beginGroup(word)
    if (group().isDropped) return
    flushBytes()
    const isOn = value !== 0
    if (word === 'f') group().font = value ?? -1
    else if (word === 'uc') group().skip = Math.min(10, Math.max(0, value ?? 1))
    else if (word === 'u' && value !== undefined) {
      write(String.fromCharCode(value < 0 ? value + 65_536 : value))
      toSkip = group().skip
    } else if (word === 'plain') Object.assign(group(), PLAIN, { isDeleted: false })
    else if (word === 'super') group().script = isOn ? 'sup' : ''
    else if (word === 'sub') group().script = isOn ? 'sub' : ''
    else if (word === 'nosupersub') group().script = ''
    else if (word === 'strike' || word === 'striked') group().isStruckOut = isOn
    else if (word === 'deleted') group().isDeleted = isOn
    else if (Object.hasOwn(CHARACTERS, word)) addText(CHARACTERS[word] ?? '')
    else group().flow.control(word, value)
  }

  for (const [, word, digits, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    const wasFirst: boolean = isFirst
    if (word) control(word, digits === undefined ? undefined : Number(digits))
    else if (hex !== undefined) {
      if (group().isDropped) continue
      if (toSkip > 0) toSkip--
      else bytes.push(Number.parseInt(hex, 16))
    } else if (brace === '{') {
      flushBytes()
      const { end: _, isDouble, ...inherited } = group()
      if (groups.length < MAX_GROUPS)
        groups.push({ ...inherited, isDropped: inherited.isDropped || isDouble === true })
    } else if (brace === '}') {
      flushBytes()
      if (groups.length > 1) groups.pop()?.end?.()
    } else if (symbol && Object.hasOwn(CHARACTERS, symbol)) addText(CHARACTERS[symbol] ?? '')
    else if (symbol && '\\{}'.includes(symbol)) addText(symbol)
    else if (plain) addText(plain)
    // Only a group's first word, or its second behind `\*`, names what the group is.
    isOptional = symbol === '*' && wasFirst
    isFirst = brace === '{' || isOptional
  }
  flushBytes()
  while (groups.length > 1) groups.pop()?.end?.()
  body.end()
  return { headers: headers!, body, footers: footers!, notes: notes! }
}
