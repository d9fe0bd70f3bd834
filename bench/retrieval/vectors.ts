import { packVectors, parseVectors, scoreVectors, toVector } from '#server/documents/knowledge/vectors.ts'
import { createWordEmbedding } from './embeddings.ts'
import { percent, quantile } from './figures.ts'
import type { Row } from './figures.ts'
import { createTexts } from './speed.ts'
import { readXquad } from './xquad.ts'

const DIMENSIONS = 1_024
const QUESTIONS = 200
const SEGMENT_CHUNKS = 1_000
const NEAREST = [1, 5, 10]

/**
 * Compares the nearest chunks by vectors of 8 bits and their signatures with those by exact numbers of 32 bits, for vectors of
 * `createWordEmbedding`.
 */
export function measureVectors(data: string, chunks: number): Row {
  const embed = createWordEmbedding(data, DIMENSIONS)
  const questions = readXquad(data, 'zh').questions.slice(0, QUESTIONS)
  const exact = new Float32Array(chunks * DIMENSIONS)
  const sets = []
  const texts = createTexts(data, chunks)
  for (let first = 0; first < chunks; first += SEGMENT_CHUNKS) {
    const vectors = texts.slice(first, first + SEGMENT_CHUNKS).map(embed)
    for (const [at, vector] of vectors.entries()) exact.set(normalize(vector), (first + at) * DIMENSIONS)
    sets.push(parseVectors(packVectors(vectors.map((vector) => toVector(vector)!))))
  }
  const times: number[] = []
  const exactTimes: number[] = []
  const found = NEAREST.map(() => 0)
  for (const { text } of questions) {
    const numbers = normalize(embed(text))
    const vector = toVector([...numbers])!
    let start = performance.now()
    const { cosines } = scoreVectors(sets, vector)
    times.push(performance.now() - start)
    start = performance.now()
    const scores = scoreExactly(exact, numbers)
    exactTimes.push(performance.now() - start)
    for (const [at, count] of NEAREST.entries()) {
      const wanted = new Set(listBest(scores, count))
      found[at]! += listBest(cosines, count).filter((chunk) => wanted.has(chunk)).length / count
    }
  }
  return {
    chunks,
    dimensions: DIMENSIONS,
    ...Object.fromEntries(
      NEAREST.map((count, at) => [`recall@${count} %`, percent(found[at]! / questions.length)]),
    ),
    'p50 ms': quantile(times, 0.5),
    'p95 ms': quantile(times, 0.95),
    'exact p50 ms': quantile(exactTimes, 0.5),
    MB: Math.round(sets.reduce((sum, { bytes }) => sum + bytes, 0) / 100_000) / 10,
    'exact MB': Math.round(exact.byteLength / 100_000) / 10,
  }
}

function normalize(vector: number[]): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (number) => number / length)
}

function scoreExactly(vectors: Float32Array, question: Float32Array): Float32Array {
  const scores = new Float32Array(vectors.length / DIMENSIONS)
  for (let at = 0; at < scores.length; at++) {
    let sum = 0
    for (let dimension = 0; dimension < DIMENSIONS; dimension++)
      sum += vectors[at * DIMENSIONS + dimension]! * question[dimension]!
    scores[at] = sum
  }
  return scores
}

const listBest = (scores: Float32Array, count: number): number[] =>
  Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, count)
