import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { TermCounts } from './terms.ts'

/**
 * The words of up to some thousand chunks as one block of bytes, written once and never changed: `[version, chunks, terms, bytes
 * of postings]`, hashes of the terms in their order and where the postings of each begin (32 bits each), the length of each chunk
 * (16 bits, padded to 4 bytes), and the postings: for each chunk with the term the number of chunks skipped before it, and of its
 * occurrences, as variable-length integers.
 */
export type Segment = {
  bytes: number
  chunks: number
  terms: Uint32Array
  offsets: Uint32Array
  /** Number of words in each chunk, and in all of them. */
  lengths: Uint16Array
  total_length: number
  postings: Uint8Array
}

const VERSION = 1
const HEADER_BYTES = 16
const MAX_LENGTH = 0xffff
/** Terms that are packed before other work has its turn. */
const TERMS_AT_A_TIME = 1_000

/** Longest work on chunks before other work has its turn, ms. */
const BREATH_MS = 2

/** Lets other work have its turn when `BREATH_MS` have gone by since it had it. */
export function createBreath(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < BREATH_MS) return
    await yieldToOthers()
    since = performance.now()
  }
}

/** Gathers the terms of chunks, one after the other. */
export class SegmentBuilder {
  readonly #lengths: number[] = []
  /** Term → chunk, count, chunk, count … */
  readonly #postings = new Map<number, number[]>()

  add({ counts, length }: TermCounts): void {
    const chunk = this.#lengths.length
    this.#lengths.push(Math.min(length, MAX_LENGTH))
    for (const [term, count] of counts) {
      const list = this.#postings.get(term)
      if (list) list.push(chunk, count)
      else this.#postings.set(term, [chunk, count])
    }
  }

  async pack(): Promise<Uint8Array> {
    const terms = Uint32Array.from(this.#postings.keys()).sort()
    const offsets = new Uint32Array(terms.length + 1)
    const postings = new ByteWriter()
    for (const [at, term] of terms.entries()) {
      if (at % TERMS_AT_A_TIME === TERMS_AT_A_TIME - 1) await yieldToOthers()
      const list = this.#postings.get(term)!
      let previous = -1
      for (let n = 0; n < list.length; n += 2) {
        postings.addNumber(list[n]! - previous - 1)
        postings.addNumber(list[n + 1]!)
        previous = list[n]!
      }
      offsets[at + 1] = postings.size
    }
    const chunks = this.#lengths.length
    const lengths = new Uint16Array(chunks + (chunks % 2))
    lengths.set(this.#lengths)
    const head = Uint32Array.of(VERSION, chunks, terms.length, postings.size)
    return Buffer.concat([head, terms, offsets, lengths].map(toBytes).concat(postings.bytes))
  }
}

const toBytes = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

class ByteWriter {
  #bytes = new Uint8Array(65_536)
  size = 0

  addNumber(number: number): void {
    if (this.size + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = number
    while (rest > 0x7f) {
      this.#bytes[this.size++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.size++] = rest
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size)
  }
}

/** Reads what `pack` wrote. Throws for another version. */
export function parseSegment(packed: Uint8Array): Segment {
  // Numbers of 32 bits must begin at a multiple of 4 bytes, as the buffer of a connection need not.
  const { buffer } = Uint8Array.from(packed)
  const [version, chunks = 0, terms = 0, bytes = 0] = new Uint32Array(buffer, 0, HEADER_BYTES / 4)
  if (version !== VERSION) throw new Error(`a segment of version ${version}`)
  const offsetsAt = HEADER_BYTES + terms * 4
  const lengthsAt = offsetsAt + (terms + 1) * 4
  const postingsAt = lengthsAt + (chunks + (chunks % 2)) * 2
  const lengths = new Uint16Array(buffer, lengthsAt, chunks)
  return {
    bytes: buffer.byteLength,
    chunks,
    terms: new Uint32Array(buffer, HEADER_BYTES, terms),
    offsets: new Uint32Array(buffer, offsetsAt, terms + 1),
    lengths,
    total_length: lengths.reduce((sum, length) => sum + length, 0),
    postings: new Uint8Array(buffer, postingsAt, bytes),
  }
}

/** Finds the index of a term in a segment; -1 where it is missing. */
export function findTerm({ terms }: Segment, term: number): number {
  let from = 0
  let to = terms.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (terms[middle]! < term) from = middle + 1
    else to = middle
  }
  return terms[from] === term ? from : -1
}

/** Calls back with each chunk of a segment that has a term, and the number of its occurrences. */
export function readPostings(
  { postings, offsets }: Segment,
  at: number,
  onPosting: (chunk: number, count: number) => void,
): void {
  let position = offsets[at]!
  const end = offsets[at + 1]!
  let chunk = -1
  const readNumber = (): number => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = postings[position++]!
      number |= (byte & 0x7f) << shift
      if (byte < 0x80) return number
    }
  }
  while (position < end) {
    chunk += readNumber() + 1
    onPosting(chunk, readNumber())
  }
}
