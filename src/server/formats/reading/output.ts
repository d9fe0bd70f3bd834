import { GARBLED, skipReasons } from '#contract/readings.ts'
import type {
  Piece,
  Place,
  Reading,
  ReadingReport,
  ReadingUnit,
  Skipped,
  SkipReason,
} from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { ReadingLimits } from '../process/limits.ts'
import { countGarbled } from '../text/garble.ts'

export type Progress = { pieces: Piece[]; done: number; total: number }

/** Thrown when the limit of text or units is reached; the reading ends with what was read until then. */
export class LimitReached extends Error {}

/** A report does not grow with a document that has thousands of pictures. */
const MAX_SKIPPED = 200
/** Pieces go to the parent after this many characters or milliseconds. */
const FLUSH_CHARS = 64_000
const FLUSH_MS = 100

/** Collects what a reader finds: pieces with their places, unit by unit, and what was left out. */
export class Output {
  readonly limits: ReadingLimits
  title: string | undefined
  encoding: string | undefined
  private readonly send: (progress: Progress) => void
  private readonly place: Place
  private readonly root: Output
  private pieces: Piece[] = []
  private chars = 0
  private total_chars = 0
  private flushed_at = performance.now()
  private garbled_chars = 0
  private inflated = 0
  private unit_chars = 0
  private unit_garbled = 0
  private readonly report: ReadingReport = {
    unit: 'section',
    total: 0,
    read: 0,
    blank: [],
    garbled: [],
    recognised: [],
    garble: 0,
    skipped: [],
  }

  constructor(
    limits: ReadingLimits,
    send: (progress: Progress) => void,
    within?: { root: Output; entry: string },
  ) {
    this.limits = limits
    this.send = send
    this.root = within?.root ?? this
    this.place = within ? { entry: within.entry } : {}
  }

  /** Returns the output for a file within this one: its pieces are added here, its units are not counted here. */
  within(entry: string): Output {
    const path = this.place.entry ? `${this.place.entry}/${entry}` : entry
    return new Output(this.limits, this.send, { root: this.root, entry: path })
  }

  /** Sets the unit that the document is counted in and how many it has, before the first is read. */
  begin(unit: ReadingUnit, total: number): void {
    this.report.unit = unit
    this.report.total = total
  }

  add(text: string, place: Place = {}): void {
    const trimmed = text
      .trimEnd()
      .replace(/^\s*\n/, '')
      .replaceAll('\0', '')
    if (!trimmed) return
    const { garbled, chars } = countGarbled(trimmed)
    this.unit_chars += chars
    this.unit_garbled += garbled
    this.root.addPiece({ text: trimmed, place: { ...this.place, ...place } }, chars, garbled)
  }

  /**
   * Ends a unit, to which the pieces since the previous one belong. `isBlank` tells that it has no text of its own, as a scanned page
   * with a comment.
   */
  endUnit({ recognised = false, number = this.report.read + 1, isBlank = false } = {}): void {
    this.report.read++
    if (recognised && this.unit_chars > 0) this.report.recognised.push(number)
    if (isBlank || this.unit_chars === 0) this.report.blank.push(number)
    else if (this.unit_garbled / this.unit_chars >= GARBLED) this.report.garbled.push(number)
    this.unit_chars = 0
    this.unit_garbled = 0
    if (this.root === this) this.flush(this.report.read % 10 === 0 || this.report.read === this.report.total)
    if (this.report.read >= this.limits.units && this.report.read < this.report.total) {
      this.skip('limit', `${this.report.read + 1}–${this.report.total}`)
      throw new LimitReached()
    }
  }

  skip(reason: SkipReason, what: string, place: Place = {}): void {
    const skipped: Skipped = { what: what.slice(0, 200), reason, message: skipReasons[reason] }
    const { skipped: list } = this.root.report
    if (list.length < MAX_SKIPPED) list.push({ ...skipped, place: { ...this.place, ...place } })
  }

  /** Ends the output. For a file within another, pages without text count as left out of the outer document. */
  end(): Omit<Reading, 'format' | 'pieces'> {
    if (this.root !== this) {
      for (const number of this.report.blank)
        this.skip('empty', String(number), placeOf(this.report.unit, number))
    }
    this.flush(true)
    this.report.garble = this.total_chars ? this.garbled_chars / this.total_chars : 0
    return {
      ...(this.title ? { title: this.title.trim().slice(0, 300) } : {}),
      report: { ...this.report, ...(this.encoding ? { encoding: this.encoding } : {}) },
    }
  }

  /** Counts unpacked bytes of all archives together. Throws `document_bomb` where they are too many. */
  countInflated(bytes: number): void {
    this.root.inflated += bytes
    if (this.root.inflated > this.limits.inflated_bytes) throw new AppError('document_bomb')
  }

  get isEmpty(): boolean {
    return this.root.total_chars === 0
  }

  private addPiece(piece: Piece, chars: number, garbled: number): void {
    this.pieces.push(piece)
    this.chars += piece.text.length
    this.total_chars += chars
    this.garbled_chars += garbled
    if (this.total_chars > this.limits.text) {
      this.skip('limit', '')
      throw new LimitReached()
    }
    this.flush(false)
  }

  private flush(now: boolean): void {
    if (this.root !== this) return
    const isDue = this.chars >= FLUSH_CHARS || performance.now() - this.flushed_at >= FLUSH_MS
    if (!now && !isDue) return
    this.send({ pieces: this.pieces, done: this.report.read, total: this.report.total })
    this.pieces = []
    this.chars = 0
    this.flushed_at = performance.now()
  }
}

const placeOf = (unit: ReadingUnit, number: number): Place =>
  unit === 'page' || unit === 'slide' ? { [unit]: number } : {}
