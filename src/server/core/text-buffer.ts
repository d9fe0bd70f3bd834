/** Pieces joined at a time: a string that is built from thousands of tiny ones takes many times its length. */
const PIECES_PER_JOIN = 64

/** A text that comes in pieces, and is read from any position without the text before it being copied. */
export class TextBuffer {
  #pieces: string[] = []
  #pieces_since_join = 0
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
    this.#length = text.length
  }

  /** UTF-16 units. */
  get length(): number {
    return this.#length
  }

  get text(): string {
    if (this.#pieces.length > 1) this.replace(this.#pieces.join(''))
    return this.#pieces[0] ?? ''
  }

  /** What follows a position; empty from the end on. */
  since(position: number): string {
    let [first, start] = [this.#pieces.length, this.#length]
    while (start > position) start -= this.#pieces[--first]!.length
    return this.#pieces
      .slice(first)
      .join('')
      .slice(position - start)
  }
}
