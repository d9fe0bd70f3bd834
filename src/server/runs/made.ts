import type { JsonObject } from '../llm/chat.ts'
import type { WorkPart } from '../llm/works/work.ts'

/** What a work came to. `bytes` is null when there were more of them than were to be kept. */
export type Made =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; media_type: string; bytes: Buffer | null }

/** Takes the bytes of a work as they come; nothing more is read until its promise is fulfilled. */
export type TakeBytes = (bytes: Buffer, media_type: string) => Promise<void> | void

type Piece = Extract<WorkPart, { type: 'json' | 'bytes' }>

/** Hands on what comes of a work, and gathers up to `keep` bytes of it. */
export class Making {
  readonly #keep: number
  readonly #take: TakeBytes
  #answer: JsonObject | null = null
  #media_type = ''
  #bytes: Buffer[] | null = []
  #size = 0

  constructor(keep: number, take: TakeBytes) {
    this.#keep = keep
    this.#take = take
  }

  get begun(): boolean {
    return this.#answer !== null || this.#size > 0
  }

  get whole(): Made | undefined {
    if (this.#answer) return { type: 'json', answer: this.#answer }
    if (!this.#size) return undefined
    const bytes = this.#bytes && Buffer.concat(this.#bytes)
    return { type: 'bytes', media_type: this.#media_type, bytes }
  }

  async add(piece: Piece): Promise<void> {
    if (piece.type === 'json') {
      this.#answer = piece.answer
      return
    }
    const { bytes, media_type } = piece
    this.#media_type = media_type
    this.#size += bytes.length
    if (this.#size > this.#keep) this.#bytes = null
    this.#bytes?.push(bytes)
    await this.#take(bytes, media_type)
  }
}
