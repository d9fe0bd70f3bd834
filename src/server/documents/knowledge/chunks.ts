import type { Place } from '#contract/readings.ts'
import { splitUnit } from './cutting.ts'
import { JOINED, MAX_HEADER, MAX_SIZE, SHORT, splitIntoUnits } from './units.ts'
import type { Unit } from './units.ts'

/** A piece of a document as its reader found it, and its number there. */
export type NumberedPiece = { n: number; text: string; place: Place }

/** A passage of a document that is found, shown and cited as one. */
export type Chunk = {
  /** The piece where it begins. */
  piece: number
  place: Place
  text: string
}

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
    const isHeading = unit.type === 'heading'
    if (has_only_headings)
      return unit.size <= MAX_SIZE && (size + unit.size <= MAX_SIZE || (!isHeading && size <= MAX_HEADER))
    const isText = unit.type === 'paragraph' || unit.type === 'code'
    return isText && unit.size <= SHORT && size + unit.size <= JOINED
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
