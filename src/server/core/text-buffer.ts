/** Pieces joined at a time: a string that is built from thousands of tiny ones takes many times its length. */
const PIECES_PER_JOIN = 64

/** A text that comes in pieces. */
export class TextBuffer {
  #text = ''
  #pieces: string[] = []

  append(piece: string): void {
    if (this.#pieces.push(piece) === PIECES_PER_JOIN) this.#join()
  }

  /** The text takes the place of all before it. */
  replace(text: string): void {
    this.#pieces = []
    this.#text = text
  }

  get text(): string {
    if (this.#pieces.length) this.#join()
    return this.#text
  }

  #join(): void {
    this.#text += this.#pieces.join('')
    this.#pieces = []
  }
}
