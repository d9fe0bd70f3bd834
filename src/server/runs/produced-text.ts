import { TextBuffer } from '#server/core/text-buffer.ts'
import { TokenEstimate } from '#server/llm/llm.ts'

/** UTF-16 units kept of a text that nobody needs: most are shorter, so that their tokens are counted. */
const MAX_KEPT_UNITS = 16_000

/**
 * Output of a model. The end of a long text is dropped where nobody will need it, so that the memory of many streams does not
 * grow with their length; the tokens of the rest are estimated as it passes.
 */
export class ProducedText {
  readonly #kept = new TextBuffer()
  readonly #isNeeded: () => boolean
  #forgotten: TokenEstimate | null = null
  #length = 0

  /** `isNeeded` is called once, when the text becomes longer than what is kept. */
  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded
  }

  append(piece: string): void {
    this.#length += piece.length
    if (this.#forgotten) return this.#forgotten.append(piece)
    this.#kept.append(piece)
    const isLong = this.#length > MAX_KEPT_UNITS && this.#length - piece.length <= MAX_KEPT_UNITS
    if (isLong && !this.#isNeeded()) this.#forgotten = new TokenEstimate()
  }

  /** Replaces all text so far. */
  replace(text: string): void {
    this.#forgotten = null
    this.#kept.replace(text)
    this.#length = text.length
  }

  /** UTF-16 units, dropped ones included. */
  get length(): number {
    return this.#length
  }

  /** All text, or its beginning. */
  get text(): string {
    return this.#kept.text
  }

  /** Estimates the tokens that `text` lacks. */
  estimateForgotten(model: string): number {
    return this.#forgotten?.getTokens(model) ?? 0
  }
}
