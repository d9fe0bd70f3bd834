import { extractQueryTerms, scoreSegments } from './bm25.ts'
import type { QueryTerm, WordScores } from './bm25.ts'
import type { Segment } from './segment.ts'
import type { ChunkKey, SearchedSegment } from './store.ts'
import { scoreVectors } from './vectors.ts'
import type { Vector, VectorSet } from './vectors.ts'

/** A segment that is searched, with its words, and its vectors where there are any. */
export type Part = SearchedSegment & { segment: Segment; vectors: VectorSet | undefined }
/** A chunk that may answer the question; the higher its score the more likely. */
export type Candidate = ChunkKey & { score: number; confidence: number }

/** Most chunks whose texts are read. */
const MAX_CANDIDATES = 40
/** Where no chunk covers as much of the question, and no vector is as similar to the question's, nothing is relevant. */
const MIN_COVERAGE = 0.12
const MIN_LIKENESS = 0.35
/** Least share of the best score: a chunk below it does not help beside the best one. */
const MIN_SHARE = 0.3
/** Words and vectors count the same. */
const VECTOR_SHARE = 0.5
/** Weights of the terms of earlier questions: the last one, and the one before. */
const EARLIER_SHARES = [0.3, 0.15]
/** Share of the best score that is added for a chunk from which the last answer was made. */
const RECENT_SHARE = 0.1

export type RankedQuestion = {
  question: string
  earlier: readonly string[]
  recent: readonly { document_id: string; chunk: number }[]
  /** Model → its vector of the question. */
  vectors: ReadonlyMap<string, Vector>
}

/** Finds the best chunks for a question, the best one first; none where nothing is relevant. */
export function rankChunks(parts: readonly Part[], request: RankedQuestion): Candidate[] {
  const terms = extractQueryTerms(request.question)
  const { scores, coverage } = scoreWords(parts, terms, listEarlierTerms(terms, request.earlier))
  const likeness = request.vectors.size ? scoreLikeness(parts, request.vectors) : null
  if (likeness) {
    for (const [at, like] of likeness.entries()) {
      if (Number.isNaN(like)) continue
      scores[at] = (1 - VECTOR_SHARE) * scores[at]! + VECTOR_SHARE * Math.max(0, like)
    }
  }
  return selectCandidates(parts, { scores, coverage, likeness }, request.recent)
}

/** Lists the terms of earlier questions that this one does not have, the last question first. */
function listEarlierTerms(terms: readonly QueryTerm[], earlier: readonly string[]): QueryTerm[] {
  const knownHashes = new Set(terms.map(({ hash }) => hash))
  return EARLIER_SHARES.flatMap((share, at) => {
    const question = earlier.at(-1 - at) ?? ''
    const added = extractQueryTerms(question, share).filter(({ hash }) => !knownHashes.has(hash))
    for (const { hash } of added) knownHashes.add(hash)
    return added
  })
}

/** Scores chunks by words: a question may stand alone or lean on earlier ones. */
function scoreWords(
  parts: readonly Part[],
  terms: readonly QueryTerm[],
  earlier: readonly QueryTerm[],
): WordScores {
  const segments = parts.map(({ segment }) => segment)
  const ownScores = scoreSegments(segments, terms)
  if (!earlier.length) return ownScores
  const earlierScores = scoreSegments(segments, earlier)
  const mass = ownScores.mass + earlierScores.mass || 1
  const weigh = (share: number, other: number): number =>
    (share * ownScores.mass + other * earlierScores.mass) / mass
  return {
    mass,
    scores: ownScores.scores.map((score, at) => weigh(score, earlierScores.scores[at]!)),
    coverage: ownScores.coverage.map((share, at) =>
      Math.max(share, weigh(share, earlierScores.coverage[at]!)),
    ),
  }
}

/**
 * Scores chunks by vectors: 0 for one that is no more similar to the question than the average, 1 for one that says the same, NaN
 * where there is no vector. Models differ in how similar any two texts are to them, so each is measured by its own average.
 */
function scoreLikeness(parts: readonly Part[], vectors: ReadonlyMap<string, Vector>): Float32Array {
  const likeness = new Float32Array(parts.reduce((sum, { chunks }) => sum + chunks, 0)).fill(NaN)
  for (const [model, vector] of vectors) {
    const sets: VectorSet[] = []
    const firsts: number[] = []
    let first = 0
    for (const part of parts) {
      if (part.model === model && part.vectors?.dimensions === vector.values.length) {
        sets.push(part.vectors)
        firsts.push(first)
      }
      first += part.chunks
    }
    const { cosines, average } = scoreVectors(sets, vector)
    let from = 0
    for (const [at, { count }] of sets.entries()) {
      for (let n = 0; n < count; n++)
        likeness[firsts[at]! + n] = (cosines[from + n]! - average) / (1 - average)
      from += count
    }
  }
  return likeness
}

type Scores = { scores: Float32Array; coverage: Float32Array; likeness: Float32Array | null }

function selectCandidates(
  parts: readonly Part[],
  { scores, coverage, likeness }: Scores,
  recent: RankedQuestion['recent'],
): Candidate[] {
  const bonus = RECENT_SHARE * scores.reduce((best, score) => Math.max(best, score), 0)
  const candidates: Candidate[] = []
  let isFound = false
  let first = 0
  for (const { document_id, generation, first: firstN, chunks } of parts) {
    const recentChunks = new Set(
      recent.filter((one) => one.document_id === document_id).map(({ chunk }) => chunk),
    )
    for (let at = first; at < first + chunks; at++) {
      if (!(scores[at]! > 0)) continue
      const covered = coverage[at]!
      const like = likeness?.[at] || 0
      isFound ||= covered >= MIN_COVERAGE || like >= MIN_LIKENESS
      const n = firstN + at - first
      const score = scores[at]! + (recentChunks.has(n) ? bonus : 0)
      if (candidates.length === MAX_CANDIDATES && score <= candidates.at(-1)!.score) continue
      let place = candidates.length
      while (place > 0 && candidates[place - 1]!.score < score) place--
      const confidence = Math.min(1, Math.max(covered, like))
      candidates.splice(place, 0, { document_id, generation, n, score, confidence })
      if (candidates.length > MAX_CANDIDATES) candidates.pop()
    }
    first += chunks
  }
  if (!isFound) return []
  return candidates.filter(({ score }) => score >= candidates[0]!.score * MIN_SHARE)
}
