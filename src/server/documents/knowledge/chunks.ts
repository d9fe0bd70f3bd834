import type { Place } from '#contract/readings.ts'

/** A piece of a document as its reader found it, and its number there. */
export type NumberedPiece = { n: number; text: string; place: Place }

/** A passage of a document that is found, shown and cited as one. */
export type Chunk = {
  /** The piece where it begins. */
  piece: number
  place: Place
  text: string
}

/**
 * Sizes in Chinese characters; a character of other scripts, whose words take more letters, counts `LETTER`. A text longer than
 * `MAX_SIZE` is cut where sentences end. Paragraphs up to `SHORT` are joined with their neighbours up to `JOINED`; longer ones
 * stand alone, since each is about something of its own.
 */
const MAX_SIZE = 700
const JOINED = 400
const SHORT = 200
const LETTER = 0.4
/** Longest header of a table, and line above it, that stand in each of its chunks. */
const MAX_HEADER = 200
const MAX_CAPTION = 80

/** A heading, a paragraph or a line of its own, or a table. */
type Unit = { type: 'heading' | 'paragraph' | 'table'; text: string; size: number }
type Pending = Chunk & { size: number; has_only_headings: boolean }

/** Cuts the pieces of a document, given in their order, into chunks: the same ones each time. */
class Chunker {
  #pending: Pending | null = null

  /** Returns the chunks that are complete with this piece. */
  add({ n, text, place }: NumberedPiece): Chunk[] {
    const chunks: Chunk[] = []
    if (this.#pending && !isSamePlace(this.#pending.place, place)) chunks.push(...this.end())
    for (const unit of splitIntoUnits(text)) this.#addUnit(unit, { piece: n, place }, chunks)
    return chunks
  }

  /** Returns the rest when there are no more pieces. */
  end(): Chunk[] {
    const pending = this.#pending
    this.#pending = null
    return pending ? [{ piece: pending.piece, place: pending.place, text: pending.text }] : []
  }

  #addUnit(unit: Unit, at: Omit<Chunk, 'text'>, chunks: Chunk[]): void {
    const { type, text, size } = unit
    const pending = this.#pending
    if (pending && this.#canJoin(pending, unit)) {
      pending.place = extendPlace(pending.place, at.place)
      pending.text += `\n\n${text}`
      pending.size += size
      pending.has_only_headings &&= type === 'heading'
    } else if (size <= MAX_SIZE) {
      chunks.push(...this.end())
      this.#pending = { ...at, text, size, has_only_headings: type === 'heading' }
    } else {
      const parts = splitUnit(unit)
      if (pending?.has_only_headings) parts[0] = `${pending.text}\n\n${parts[0]}`
      else chunks.push(...this.end())
      this.#pending = null
      for (const part of parts) chunks.push({ ...at, text: part })
    }
    if (type === 'table' || size > SHORT) chunks.push(...this.end())
  }

  #canJoin({ size, has_only_headings }: Pending, unit: Unit): boolean {
    if (has_only_headings) return size + unit.size <= MAX_SIZE
    return unit.type === 'paragraph' && unit.size <= SHORT && size + unit.size <= JOINED
  }
}

/** Cuts a document that is in memory as a whole. */
export function splitIntoChunks(pieces: readonly NumberedPiece[]): Chunk[] {
  const chunker = new Chunker()
  return [...pieces.flatMap((piece) => chunker.add(piece)), ...chunker.end()]
}

/** Reads pieces of a document behind number `after`, at most `size` of them; fewer where there are no more. */
export type ReadPieces = (after: number, size: number) => Promise<readonly NumberedPiece[]>

const PIECES_AT_A_TIME = 100

/** Reads a document and cuts it on the way. */
export async function* readChunks(readPieces: ReadPieces): AsyncGenerator<Chunk> {
  const chunker = new Chunker()
  for (let after = 0; ;) {
    const pieces = await readPieces(after, PIECES_AT_A_TIME)
    for (const piece of pieces) yield* chunker.add(piece)
    if (pieces.length < PIECES_AT_A_TIME) break
    after = pieces.at(-1)!.n
  }
  yield* chunker.end()
}

const isSamePlace = (a: Place, b: Place): boolean =>
  a.page === b.page &&
  a.slide === b.slide &&
  a.sheet === b.sheet &&
  a.entry === b.entry &&
  a.heading?.join('\n') === b.heading?.join('\n')

const extendPlace = (place: Place, { end_ms }: Place): Place =>
  end_ms === undefined ? place : { ...place, end_ms }

function getSize(text: string): number {
  let wide = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) wide++
  return wide + (text.length - wide) * LETTER
}

const toUnit = (type: Unit['type'], lines: string[]): Unit => {
  const text = lines.join('\n').trimEnd()
  return { type, text, size: getSize(text) }
}

const isRow = (line: string | undefined): boolean => line?.trimStart().startsWith('|') ?? false
/** Tells whether a line divides the header of a table from its rows. */
export const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^\s*\|[\s:|-]+\|\s*$/.test(line)
const isHeading = (line: string): boolean => /^#{1,6}\s/.test(line)

/** Splits Markdown by its structure; each long line is a paragraph of its own, as plain text is often written. */
function splitIntoUnits(markdown: string): Unit[] {
  const units: Unit[] = []
  const lines = markdown.split('\n')
  let paragraph: string[] = []
  let wasLong = false
  const endParagraph = (): void => {
    if (paragraph.length) units.push(toUnit('paragraph', paragraph))
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (isRow(line) && isRule(lines[at + 1])) {
      endParagraph()
      let end = at + 2
      while (isRow(lines[end])) end++
      units.push(toTable(units, lines.slice(at, end)))
      at = end - 1
    } else if (!line.trim()) endParagraph()
    else if (isHeading(line)) {
      endParagraph()
      units.push(toUnit('heading', [line]))
    } else {
      const isLong = getSize(line) > SHORT
      if (isLong || wasLong) endParagraph()
      wasLong = isLong
      paragraph.push(line)
    }
  }
  endParagraph()
  return units
}

/** Makes a table, with the line above it as its caption. */
function toTable(units: Unit[], lines: string[]): Unit {
  const above = units.at(-1)
  const hasCaption = above?.type === 'paragraph' && above.size <= MAX_CAPTION
  return toUnit('table', hasCaption ? [units.pop()!.text, '', ...lines] : lines)
}

const splitUnit = ({ type, text, size }: Unit): string[] =>
  type === 'table' ? splitTable(text) : splitParagraph(text, size)

/** Splits a table between its rows, each part with caption and header. A row that is too long is cut like a paragraph. */
function splitTable(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  const header = lines.slice(0, rule + 1).join('\n')
  const headerSize = getSize(header)
  const isRepeated = headerSize <= MAX_HEADER + MAX_CAPTION
  const parts: string[] = isRepeated ? [] : splitParagraph(header, headerSize)
  let rows: string[] = []
  let size = 0
  const endPart = (): void => {
    if (rows.length) parts.push((isRepeated ? [header, ...rows] : rows).join('\n'))
    rows = []
    size = isRepeated ? headerSize : 0
  }
  endPart()
  for (const row of lines.slice(rule + 1)) {
    const rowSize = getSize(row)
    if (size + rowSize > JOINED) endPart()
    if (rowSize > MAX_SIZE) parts.push(...splitParagraph(row, rowSize))
    else rows.push(row)
    size += rowSize
  }
  endPart()
  return parts
}

/** Splits a paragraph into similar sizes that end with a line or a sentence; a sentence that is too long is cut anywhere. */
function splitParagraph(text: string, size: number): string[] {
  if (size <= MAX_SIZE) return [text]
  const targetSize = size / Math.ceil(size / (MAX_SIZE * 0.9))
  const parts: string[] = []
  let current = ''
  let currentSize = 0
  for (const [sentence] of text.matchAll(SENTENCE)) {
    const sentenceSize = getSize(sentence)
    const isFull = currentSize >= targetSize || currentSize + sentenceSize > MAX_SIZE
    if (current && isFull) {
      parts.push(current.trim())
      current = ''
      currentSize = 0
    }
    current += sentence
    currentSize += sentenceSize
  }
  parts.push(current.trim())
  return parts.filter(Boolean)
}

const SENTENCE =
  /[^]{1,680}?(?:\n{1,20}|[。！？；!?;]{1,10}["”’」』）)]{0,3}\s{0,10}|\.\s{1,10}|$)|[^]{1,700}/gu
