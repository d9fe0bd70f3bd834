import { TextBuffer } from '#server/core/text-buffer.ts'
import { TokenEstimate } from '#server/llm/llm.ts'

/** UTF-16 units that are kept of a text that nobody needs: most are shorter, so that their tokens are counted. */
const MAX_KEPT_UNITS = 16_000

/**
 * What a model writes. The end of a long one is forgotten where nobody will ask for it, so that many long streams take no more
 * memory the longer they are; its tokens are then estimated as it passes.
 */
export class ProducedText {
  readonly #kept = new TextBuffer()
  readonly #isNeeded: () => boolean
  #forgotten: TokenEstimate | null = null
  #length = 0

  /** `isNeeded` is asked once, when there is more than is kept. */
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

  /** The text takes the place of all before it. */
  replace(text: string): void {
    this.#forgotten = null
    this.#kept.replace(text)
    this.#length = text.length
  }

  /** UTF-16 units, also of what was forgotten. */
  get length(): number {
    return this.#length
  }

  /** All of it, or its beginning. */
  get text(): string {
    return this.#kept.text
  }

  /** Tokens of what `text` lacks, estimated. */
  estimateForgotten(model: string): number {
    return this.#forgotten?.getTokens(model) ?? 0
  }
}
