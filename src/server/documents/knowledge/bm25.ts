import type { Chunk } from './chunks.ts'
import { createBreath, findTerm, parseSegment, readPostings, SegmentBuilder } from './segment.ts'
import type { Segment } from './segment.ts'
import { createTermCounter, extractTerms } from './terms.ts'
import type { Term } from './terms.ts'

/**
 * BM25's constants for passages, as Anserini and Pyserini have them for MS MARCO: saturation of repeated words, and influence of
 * length.
 */
const K1 = 0.9
const B = 0.4
/**
 * Few chunks say little about how rare a word is: they are taken for part of a collection with so many others, none of which has
 * any of the words.
 */
const OTHER_CHUNKS = 200

/** A term of a question. `weight`: its importance, from 0 to 1, before its rarity. */
export type QueryTerm = Term & { weight: number }

/**
 * Words that shape a question rather than name its subject: in texts they are rare, so their rarity would make them count most.
 */
const QUESTION_WORDS = new Set(
  (
    '的 了 是 在 和 与 或 及 被 把 对 从 到 由 为 以 于 而 也 都 就 还 又 所 其 之 这 那 这个 那个 这些 那些 哪 哪个 哪些 哪里 哪儿 ' +
    '哪位 哪种 谁 什么 怎么 怎样 怎么样 如何 为什么 为何 何 何时 何地 何种 多少 几 多 吗 呢 吧 啊 是否 能否 可以 请问 请 告诉 有 没有 ' +
    '他 她 它 他们 她们 它们 我 你 您 我们 你们 一个 一种 一些 ' +
    'a an the of in on at to for from by with and or is are was were be been do does did has have had what which who whom ' +
    'whose when where why how that this these those it its as not no can could would should will may there they he she his ' +
    'her you your i we our please'
  ).split(' '),
)
/**
 * A pair of characters says the same as the word that it is part of, and a single character is part of many words: each counts
 * half a word.
 */
const HALF = 0.5
const LITTLE = 0.2
const SINGLE = /^\p{Script=Han}$/u
/** Most characters of a question; a longer one, which brings a text along, is searched for by its beginning and its end. */
const MAX_QUESTION_CHARS = 2_000
const MAX_TERMS = 200

/** Returns the terms of a question, each once, with weights scaled by `share`. */
export function extractQueryTerms(question: string, share = 1): QueryTerm[] {
  const half = MAX_QUESTION_CHARS / 2
  const text =
    question.length > MAX_QUESTION_CHARS ? `${question.slice(0, half)} ${question.slice(-half)}` : question
  const terms = new Map<number, QueryTerm>()
  for (const term of extractTerms(text)) {
    if (terms.size === MAX_TERMS) break
    terms.set(term.hash, { ...term, weight: share * getWeight(term) })
  }
  return [...terms.values()]
}

function getWeight({ text, kind }: Term): number {
  if (QUESTION_WORDS.has(text)) return LITTLE * (kind === 'pair' ? HALF : 1)
  return kind === 'pair' || SINGLE.test(text) ? HALF : 1
}

/** Scores of the chunks of all segments in turn. */
export type WordScores = {
  /** As shares of the score of a chunk that is of average length and has each term once. */
  scores: Float32Array
  /** Share of the question's terms, by weight and rarity, that a chunk has, from 0 to 1. */
  coverage: Float32Array
  /** Weight and rarity of all terms of the question. */
  mass: number
}

/** Scores the chunks of some documents by BM25, with rarity counted over all of them. */
export function scoreSegments(segments: readonly Segment[], terms: readonly QueryTerm[]): WordScores {
  const chunks = segments.reduce((sum, segment) => sum + segment.chunks, 0)
  const words = segments.reduce((sum, { total_length }) => sum + total_length, 0)
  const average = words / Math.max(1, chunks) || 1
  const scores = new Float32Array(chunks)
  const coverage = new Float32Array(chunks)
  let mass = 0
  for (const { hash, weight } of terms) {
    const places = segments.map((segment) => findTerm(segment, hash))
    let holders = 0
    for (const [at, segment] of segments.entries()) {
      if (places[at]! >= 0) readPostings(segment, places[at]!, () => holders++)
    }
    const rarity = weight * Math.log(1 + (chunks + OTHER_CHUNKS - holders + 0.5) / (holders + 0.5))
    mass += rarity
    let first = 0
    for (const [at, segment] of segments.entries()) {
      const from = first
      if (places[at]! >= 0) {
        readPostings(segment, places[at]!, (chunk, count) => {
          const length = K1 * (1 - B + (B * segment.lengths[chunk]!) / average)
          scores[from + chunk]! += (rarity * count * (K1 + 1)) / (count + length)
          coverage[from + chunk]! += rarity
        })
      }
      first += segment.chunks
    }
  }
  for (let at = 0; mass > 0 && at < chunks; at++) {
    scores[at]! /= mass
    coverage[at]! /= mass
  }
  return { scores, coverage, mass }
}

/**
 * Scores chunks of a document without an index for a question, in their order; 0 where none of its words occurs. Their segment
 * has the terms of the question alone, and is gone afterwards. The headings above a chunk are words of it, as in an index.
 */
export async function scoreChunks(question: string, chunks: readonly Chunk[]): Promise<Float32Array> {
  const terms = extractQueryTerms(question)
  const countTerms = createTermCounter(terms)
  const builder = new SegmentBuilder()
  const breathe = createBreath()
  for (const { text, place } of chunks) {
    builder.add(countTerms([...(place.heading ?? []), text].join('\n')))
    await breathe()
  }
  return scoreSegments([parseSegment(await builder.pack())], terms).scores
}
