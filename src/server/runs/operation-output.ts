import type { JsonObject } from '#server/core/json.ts'
import type { OperationPart } from '#server/llm/llm.ts'

/** What a work came to. `bytes` is null when there were more of them than were to be kept. */
export type OperationOutput =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; media_type: string; bytes: Buffer | null }

/** Takes the bytes of a work as they come; nothing more is read until its promise is fulfilled. */
export type OnBytes = (bytes: Buffer, media_type: string) => Promise<void> | void

type OutputPiece = Extract<OperationPart, { type: 'json' | 'bytes' }>

/** Hands on what comes of a work, and gathers up to `keep` bytes of it. */
export class OutputCollector {
  readonly #max_bytes: number
  readonly #onBytes: OnBytes
  #answer: JsonObject | null = null
  #media_type = ''
  #bytes: Buffer[] | null = []
  #size = 0

  constructor(max_bytes: number, onBytes: OnBytes) {
    this.#max_bytes = max_bytes
    this.#onBytes = onBytes
  }

  get hasOutput(): boolean {
    return this.#answer !== null || this.#size > 0
  }

  get output(): OperationOutput | undefined {
    if (this.#answer) return { type: 'json', answer: this.#answer }
    if (!this.#size) return undefined
    const bytes = this.#bytes && Buffer.concat(this.#bytes)
    return { type: 'bytes', media_type: this.#media_type, bytes }
  }

  async add(piece: OutputPiece): Promise<void> {
    if (piece.type === 'json') {
      this.#answer = piece.answer
      return
    }
    const { bytes, media_type } = piece
    this.#media_type = media_type
    this.#size += bytes.length
    if (this.#size > this.#max_bytes) this.#bytes = null
    this.#bytes?.push(bytes)
    await this.#onBytes(bytes, media_type)
  }
}
