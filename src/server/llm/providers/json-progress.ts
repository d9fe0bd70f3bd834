const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

/** Tells whether a JSON object that comes in pieces is whole. */
export class JsonProgress {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasBegun = false

  append(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isInString = false
      } else if (code === QUOTE) this.#isInString = true
      else if (OPENING.has(code)) {
        this.#depth += 1
        this.#hasBegun = true
      } else if (CLOSING.has(code)) this.#depth -= 1
    }
  }

  get isWhole(): boolean {
    return this.#hasBegun && this.#depth <= 0
  }
}
