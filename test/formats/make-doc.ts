import { makeCompoundFile } from './make-container.ts'

/** A stretch of text with changes to its properties in hexadecimal (MS-DOC 2.6.1). */
export type DocRun = string | [text: string, changes: string]
/** A paragraph; `end` is the character that ends it, a cell or a row. */
export type DocParagraph = { runs: DocRun[]; changes?: string; style?: number; end?: string }
type TextName = 'body' | 'footnotes' | 'headers' | 'macros' | 'comments' | 'endnotes' | 'boxes'
/** Tables by their places in the file information block. */
export type DocTables = Record<number, Buffer>

const TEXTS: TextName[] = ['body', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes']
const TEXT_AT = 0x400

export const u16 = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer)
export const u32 = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer)

/** Makes a document of Word 97 of these texts and tables. */
export function makeDoc(
  texts: Partial<Record<TextName, DocParagraph[]>>,
  tables: DocTables = {},
  data: Buffer = Buffer.alloc(0),
): Buffer {
  const all = TEXTS.map((name) => texts[name] ?? [])
  const chars = all.map((paragraphs) =>
    paragraphs.reduce((sum, paragraph) => sum + contentOf(paragraph).length, 0),
  )
  const paragraphs = all.flat()
  const content = Buffer.from(paragraphs.map(contentOf).join(''), 'utf16le')
  const pagesAt = Math.ceil((TEXT_AT + content.length) / 512)
  const main = Buffer.alloc((pagesAt + 2) * 512)
  content.copy(main, TEXT_AT)
  main.writeUInt16LE(0xa5ec, 0)
  main.writeUInt16LE(0xc1, 2)
  chars.forEach((length, index) => main.writeUInt32LE(length, 0x4c + index * 4))

  let at = TEXT_AT
  const toRange = (text: string, bytes: Buffer): PageRun => {
    const start = at
    at += text.length * 2
    return { start, end: at, bytes }
  }
  const paragraphRuns = paragraphs.map((paragraph) => {
    const bytes = Buffer.concat([u16(paragraph.style ?? 0), Buffer.from(paragraph.changes ?? '', 'hex')])
    const isOdd = bytes.length % 2 === 1
    const sized = isOdd
      ? Buffer.concat([Buffer.from([(bytes.length + 1) / 2]), bytes])
      : Buffer.concat([Buffer.from([0, bytes.length / 2]), bytes])
    return toRange(contentOf(paragraph), sized)
  })
  at = TEXT_AT
  const characterRuns = paragraphs.flatMap(({ runs, end = '\r' }) =>
    [...runs, end].map((run) => {
      const [text, changes] = typeof run === 'string' ? [run, ''] : run
      return toRange(text, Buffer.concat([Buffer.from([changes.length / 2]), Buffer.from(changes, 'hex')]))
    }),
  )
  makePage(characterRuns, 1).copy(main, pagesAt * 512)
  makePage(paragraphRuns, 13).copy(main, (pagesAt + 1) * 512)

  const total = content.length / 2
  const pieces = Buffer.concat([u32(0, total), u16(0), u32(TEXT_AT), u16(0)])
  const pageTable = (page: number): Buffer => u32(TEXT_AT, TEXT_AT + content.length, page)
  const parts: [number, Buffer][] = [
    [0xfa, pageTable(pagesAt)],
    [0x102, pageTable(pagesAt + 1)],
    [0x1a2, Buffer.concat([Buffer.from([2]), u32(pieces.length), pieces])],
    ...Object.entries(tables).map(([place, bytes]): [number, Buffer] => [Number(place), bytes]),
  ]
  let table = Buffer.alloc(0)
  for (const [place, bytes] of parts) {
    // The levels of lists lie behind their table, and are not counted as a part of it.
    const length = place === LISTS ? 2 + bytes.readUInt16LE(0) * 28 : bytes.length
    main.writeUInt32LE(table.length, place)
    main.writeUInt32LE(length, place + 4)
    table = Buffer.concat([table, bytes])
  }
  return makeCompoundFile({ WordDocument: main, '0Table': table, ...(data.length ? { Data: data } : {}) })
}

const contentOf = ({ runs, end = '\r' }: DocParagraph): string =>
  runs.map((run) => (typeof run === 'string' ? run : run[0])).join('') + end

type PageRun = { start: number; end: number; bytes: Buffer }

/** Makes a page of 512 bytes with the places of runs and, from its end on, their properties. */
function makePage(runs: PageRun[], entryBytes: number): Buffer {
  const page = Buffer.alloc(512)
  let free = 510
  for (const [index, { start, end, bytes }] of runs.entries()) {
    page.writeUInt32LE(start, index * 4)
    page.writeUInt32LE(end, index * 4 + 4)
    free = (free - bytes.length) & ~1
    bytes.copy(page, free)
    page[(runs.length + 1) * 4 + index * entryBytes] = free / 2
  }
  page[511] = runs.length
  return page
}

export const LISTS = 0x2e2
export const LIST_OVERRIDES = 0x2ea
const STYLES = 0xa2

type Level = { kind: number; text: string; start?: number; flags?: number; restart?: number }

function makeLevel({ kind, text, start = 1, flags = 0, restart = 0 }: Level): Buffer {
  const head = Buffer.alloc(28)
  head.writeInt32LE(start, 0)
  head[4] = kind
  head[5] = flags
  head[26] = restart
  return Buffer.concat([head, u16(text.length), Buffer.from(text, 'utf16le')])
}

/** Makes the definition of one list, and uses of it that begin at numbers of their own where these are given. */
export function makeLists(levels: Level[], starts: (number | undefined)[] = [undefined]): DocTables {
  const list = Buffer.alloc(28)
  list.writeInt32LE(7, 0)
  list.fill(0xff, 8, 26)
  const rest = Array.from({ length: 9 - levels.length }, (): Level => ({ kind: 23, text: '' }))
  const uses = starts.map((start) => {
    const use = Buffer.alloc(16)
    use.writeInt32LE(7, 0)
    use[12] = start === undefined ? 0 : 1
    return use
  })
  const changes = starts.map((start) =>
    Buffer.concat([u32(0xffffffff), start === undefined ? Buffer.alloc(0) : u32(start, 0x10)]),
  )
  return {
    [LISTS]: Buffer.concat([u16(1), list, ...[...levels, ...rest].map(makeLevel)]),
    [LIST_OVERRIDES]: Buffer.concat([u32(starts.length), ...uses, ...changes]),
  }
}

/** Makes a style sheet: kind 1 is of paragraphs, 2 of characters; `base` is the index of another style. */
export function makeStyles(
  styles: { kind: number; number: number; base?: number; paragraph?: string; character?: string }[],
): DocTables {
  const entries = styles.map(({ kind, number, base = 0xfff, paragraph = '', character = '' }, index) => {
    const part = (bytes: Buffer): Buffer =>
      Buffer.concat([u16(bytes.length), bytes, Buffer.alloc(bytes.length % 2)])
    const own = [Buffer.concat([u16(index), Buffer.from(paragraph, 'hex')]), Buffer.from(character, 'hex')]
    const parts = (kind === 1 ? own : own.slice(1)).map(part)
    const style = Buffer.concat([
      u16(number, kind | (base << 4), parts.length, 0, 0),
      u16(1, 0x41, 0),
      ...parts,
    ])
    return Buffer.concat([u16(style.length), style])
  })
  return { [STYLES]: Buffer.concat([u16(4), u16(entries.length, 10), ...entries]) }
}
