/** Pieces joined at a time: a string that is built from thousands of tiny ones takes many times its length. */
const PIECES_PER_JOIN = 64

/**
 * A text that comes in pieces, and is read from any position without the text before it being copied. Its beginning can be
 * forgotten; positions count it all the same.
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

  /** The text takes the place of all before it. */
  replace(text: string): void {
    this.#pieces = [text]
    this.#pieces_since_join = 0
    this.#start = 0
    this.#length = text.length
  }

  /** Forgets pieces from the beginning, so that at least the last `units` are kept. */
  keepLast(units: number): void {
    let [first] = this.#pieces
    while (first !== undefined && this.#length - this.#start - first.length >= units) {
      this.#start += first.length
      this.#pieces.shift()
      first = this.#pieces[0]
    }
    this.#pieces_since_join = Math.min(this.#pieces_since_join, this.#pieces.length)
  }

  /** UTF-16 units, also of what was forgotten. */
  get length(): number {
    return this.#length
  }

  /** The position from which on it is kept. */
  get start(): number {
    return this.#start
  }

  /** All that is kept. */
  get text(): string {
    return this.#pieces.join('')
  }

  /** What follows a position that is kept; empty from the end on. */
  since(position: number): string {
    let [first, start] = [this.#pieces.length, this.#length]
    while (start > position) start -= this.#pieces[--first]!.length
    return this.#pieces
      .slice(first)
      .join('')
      .slice(position - start)
  }
}
