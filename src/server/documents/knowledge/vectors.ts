/**
 * A vector as it is kept: its length is 1, and each number is 8 bits times `scale`. The similarity of two texts is the cosine of
 * their vectors.
 */
export type Vector = { scale: number; values: Int8Array }

/**
 * The vectors of neighbouring chunks as one block of bytes: `[version, count, dimensions, 0]`, the scale of each (32 bits), its
 * signature (a bit for each dimension, set above 0, padded to 32), and its values (8 bits each).
 */
export type VectorSet = {
  bytes: number
  count: number
  dimensions: number
  scales: Float32Array
  signatures: Uint32Array
  values: Int8Array
}

const VERSION = 1
const HEADER_BYTES = 16
const MAX_VALUE = 127
/** More dimensions than any model has. */
const MAX_DIMENSIONS = 8_192

/** Returns null for anything that is no vector. */
export function toVector(numbers: unknown): Vector | null {
  if (!Array.isArray(numbers) || !numbers.length || numbers.length > MAX_DIMENSIONS) return null
  if (!numbers.every((number): number is number => Number.isFinite(number))) return null
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
  if (!(length > 0)) return null
  const values = Int8Array.from(numbers, (number) => Math.round((number / largest) * MAX_VALUE))
  return { scale: largest / MAX_VALUE / length, values }
}

const getWords = (dimensions: number): number => Math.ceil(dimensions / 32)

/** Sets a bit for each dimension above 0. */
function writeSignature(values: Int8Array, signature: Uint32Array): void {
  for (let at = 0; at < values.length; at++) if (values[at]! > 0) signature[at >>> 5]! |= 1 << (at & 31)
}

/** Packs vectors, which all have the same dimensions. */
export function packVectors(vectors: readonly Vector[]): Uint8Array {
  const dimensions = vectors[0]?.values.length ?? 0
  const words = getWords(dimensions)
  const head = Uint32Array.of(VERSION, vectors.length, dimensions, 0)
  const scales = Float32Array.from(vectors, ({ scale }) => scale)
  const signatures = new Uint32Array(vectors.length * words)
  for (const [at, { values }] of vectors.entries())
    writeSignature(values, signatures.subarray(at * words, (at + 1) * words))
  const parts = [head, scales, signatures, ...vectors.map(({ values }) => values)]
  return Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  )
}

/** Reads what `packVectors` wrote. Throws for another version. */
export function parseVectors(packed: Uint8Array): VectorSet {
  const { buffer } = Uint8Array.from(packed)
  const [version, count = 0, dimensions = 0] = new Uint32Array(buffer, 0, HEADER_BYTES / 4)
  if (version !== VERSION) throw new Error(`vectors of version ${version}`)
  const signaturesAt = HEADER_BYTES + count * 4
  const valuesAt = signaturesAt + count * getWords(dimensions) * 4
  return {
    bytes: buffer.byteLength,
    count,
    dimensions,
    scales: new Float32Array(buffer, HEADER_BYTES, count),
    signatures: new Uint32Array(buffer, signaturesAt, count * getWords(dimensions)),
    values: new Int8Array(buffer, valuesAt, count * dimensions),
  }
}

export const getVector = ({ scales, values, dimensions }: VectorSet, at: number): Vector => ({
  scale: scales[at]!,
  values: values.subarray(at * dimensions, (at + 1) * dimensions),
})

function getCosine({ scales, values, dimensions }: VectorSet, at: number, question: Vector): number {
  const first = at * dimensions
  let sum = 0
  for (let dimension = 0; dimension < dimensions; dimension++)
    sum += values[first + dimension]! * question.values[dimension]!
  return sum * scales[at]! * question.scale
}

/** Chunks whose exact cosine is computed: those whose signatures differ least. */
const EXACT = 400

/** Similarity of each chunk to a question: exact for those that may matter, by their signatures for the others. */
export type VectorScores = {
  /** Cosines of the chunks of all sets in turn, -1 to 1. */
  cosines: Float32Array
  exact: number[]
  /** Average cosine, as of a chunk that has nothing to do with the question. */
  average: number
}

/** Few chunks say little about the average: they count beside so many others of a common average. */
const OTHER_CHUNKS = 20
const COMMON_AVERAGE = 0.3

/** Compares a question with the chunks of sets that have the same dimensions. */
export function scoreVectors(sets: readonly VectorSet[], question: Vector): VectorScores {
  const dimensions = question.values.length
  const words = getWords(dimensions)
  const signature = new Uint32Array(words)
  writeSignature(question.values, signature)
  const total = sets.reduce((sum, { count }) => sum + count, 0)
  const differences = new Uint16Array(total)
  const histogram = new Uint32Array(dimensions + 1)
  let first = 0
  for (const { count, signatures } of sets) {
    for (let at = 0; at < count; at++) {
      let difference = 0
      for (let word = 0; word < words; word++)
        difference += countBits(signatures[at * words + word]! ^ signature[word]!)
      differences[first + at] = difference
      histogram[difference]!++
    }
    first += count
  }
  let limit = 0
  for (let seenCount = 0; limit <= dimensions; limit++) {
    seenCount += histogram[limit]!
    if (seenCount >= EXACT) break
  }
  // The share of signs that differ is the angle (Charikar 2002).
  const byDifference = Float32Array.from(histogram, (_, at) => Math.cos((Math.PI * at) / dimensions))
  const cosines = new Float32Array(total)
  const exact: number[] = []
  let sum = 0
  first = 0
  for (const set of sets) {
    for (let at = 0; at < set.count; at++) {
      const difference = differences[first + at]!
      const isNear = difference <= limit
      if (isNear) exact.push(first + at)
      cosines[first + at] = isNear ? getCosine(set, at, question) : byDifference[difference]!
      sum += cosines[first + at]!
    }
    first += set.count
  }
  const average = (sum + OTHER_CHUNKS * COMMON_AVERAGE) / (total + OTHER_CHUNKS)
  return { cosines, exact, average }
}

/** https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
