/** Pieces joined at a time: a string built from thousands of tiny ones takes many times its length in memory. */
const PIECES_PER_JOIN = 64

/**
 * A text that comes in pieces, and is read from any position without copying the text before. Its beginning can be dropped;
 * positions still count it.
 */
export class TextBuffer {
  #pieces: string[] = []
  #pieces_since_join = 0
  #start = 0
  #length = 0

  append(piece: string): void {
    if (piece === '') return
    this.#length += piece.length
    this.#pieces.push(piece)
    if (++this.#pieces_since_join < PIECES_PER_JOIN) return
    this.#pieces.push(this.#pieces.splice(-PIECES_PER_JOIN).join(''))
    this.#pieces_since_join = 0
  }

  /** Replaces all text so far. */
  replace(text: string): void {
    this.#pieces = [text]
    this.#pieces_since_join = 0
    this.#start = 0
    this.#length = text.length
  }

  /** Drops pieces from the beginning, keeping at least the last `units`. */
  keepLast(units: number): void {
    let [first] = this.#pieces
    while (first !== undefined && this.#length - this.#start - first.length >= units) {
      this.#start += first.length
      this.#pieces.shift()
      first = this.#pieces[0]
    }
    this.#pieces_since_join = Math.min(this.#pieces_since_join, this.#pieces.length)
  }

  /** UTF-16 units, dropped ones included. */
  get length(): number {
    return this.#length
  }

  /** Position of the first unit kept. */
  get start(): number {
    return this.#start
  }

  /** All text kept. */
  get text(): string {
    return this.#pieces.join('')
  }

  /** Returns the text after a position that is kept; empty at the end and beyond. */
  since(position: number): string {
    let [first, start] = [this.#pieces.length, this.#length]
    while (start > position) start -= this.#pieces[--first]!.length
    return this.#pieces
      .slice(first)
      .join('')
      .slice(position - start)
  }
}
