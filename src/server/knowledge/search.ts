import type { Db } from '#server/core/database/database.ts'
import { extractQueryTerms, scoreSegments } from './bm25.ts'
import type { QueryTerm, WordScores } from './bm25.ts'
import { formatTitle } from './passage.ts'
import type { Passage } from './passage.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { Segment } from './segment.ts'
import * as store from './store.ts'
import type { ChunkKey, SegmentRow, StoredChunk } from './store.ts'
import { extractTerms } from './terms.ts'
import type { Term } from './terms.ts'

export type SearchRequest = {
  /** Who asks, and the account that pays for what asking costs. */
  user_id: string
  account_id: string
  /** What is searched, and nothing else: the caller has checked who may see it. */
  documents: readonly string[]
  question: string
  /** Questions before it, the latest one last. */
  earlier?: readonly string[]
  /** What the last answer was made from. */
  recent?: readonly { document_id: string; chunk: number }[]
  /** Of the passages together. */
  max_chars: number
  signal: AbortSignal
}
type Deps = { db: Db; cache: SegmentCache }
type Candidate = ChunkKey & { score: number; confidence: number }

/** Chunks whose texts are looked at, and passages that are returned at most. */
const MAX_CANDIDATES = 40
const MAX_PASSAGES = 12
/** A passage that covers less of what the question says has nothing to do with it. */
const MIN_COVERAGE = 0.15
/** A passage that scores less than this share of the best one does not help beside it. */
const MIN_SHARE = 0.3
/** What earlier questions say counts this much of what the question says: the last one, and the one before. */
const EARLIER_SHARES = [0.3, 0.15]
/** A passage that the last answer was made from gets this much of the best score. */
const RECENT_SHARE = 0.1
/** Two passages are the same when no more than this share of their terms differs. */
const MAX_DIFFERENCE = 0.05
/** What a passage takes of a prompt beside its text: its number and title. */
const FRAME_CHARS = 60

/**
 * The passages of documents that have to do with a question, the best ones first; none where nothing has. Throws the reason of
 * the signal.
 */
export async function search({ db, cache }: Deps, request: SearchRequest): Promise<Passage[]> {
  const { documents, question, earlier = [], signal } = request
  if (!documents.length) return []
  const rows = await store.listSegments(db, documents)
  const loaded = await cache.load(
    rows.map(({ id }) => id),
    signal,
  )
  const parts = rows.flatMap((row) => ({ ...row, segment: loaded.get(row.id) })).filter(isLoaded)
  const terms = extractQueryTerms(question)
  const ranked = rankParts(parts, terms, listEarlierTerms(terms, earlier))
  const candidates = selectCandidates(ranked, parts, request.recent ?? [])
  signal.throwIfAborted()
  const texts = candidates.length ? await store.readChunks(db, candidates) : []
  return selectPassages(texts, candidates, terms, request.max_chars)
}

type Part = SegmentRow & { segment: Segment }
const isLoaded = (part: SegmentRow & { segment: Segment | undefined }): part is Part =>
  part.segment !== undefined

/** What earlier questions say and this one does not, the last one first. */
function listEarlierTerms(terms: readonly QueryTerm[], earlier: readonly string[]): QueryTerm[] {
  const known = new Set(terms.map(({ hash }) => hash))
  return EARLIER_SHARES.flatMap((share, at) => {
    const question = earlier.at(-1 - at)
    const added = extractQueryTerms(question ?? '', share).filter(({ hash }) => !known.has(hash))
    for (const { hash } of added) known.add(hash)
    return added
  })
}

/** Scores of all chunks, those of the parts one after the other. A question may stand alone or lean on earlier ones. */
function rankParts(
  parts: readonly Part[],
  terms: readonly QueryTerm[],
  earlier: readonly QueryTerm[],
): WordScores {
  const segments = parts.map(({ segment }) => segment)
  const own = scoreSegments(segments, terms)
  if (!earlier.length) return own
  const { scores, coverage, mass } = scoreSegments(segments, earlier)
  const both = own.mass + mass
  return {
    mass: both,
    scores: own.scores.map((score, at) => score + scores[at]!),
    coverage: own.coverage.map((share, at) =>
      Math.max(share, (share * own.mass + coverage[at]! * mass) / both),
    ),
  }
}

/** The best chunks, the best one first. */
function selectCandidates(
  { scores, coverage }: WordScores,
  parts: readonly Part[],
  recent: readonly { document_id: string; chunk: number }[],
): Candidate[] {
  const bonus = RECENT_SHARE * scores.reduce((best, score) => Math.max(best, score), 0)
  const candidates: Candidate[] = []
  let first = 0
  for (const { document_id, generation, first: first_n, chunks } of parts) {
    const used = new Set(recent.filter((one) => one.document_id === document_id).map(({ chunk }) => chunk))
    for (let at = 0; at < chunks; at++) {
      const confidence = coverage[first + at]!
      if (confidence < MIN_COVERAGE) continue
      const n = first_n + at
      const score = scores[first + at]! + (used.has(n) ? bonus : 0)
      if (candidates.length === MAX_CANDIDATES && score <= candidates.at(-1)!.score) continue
      let place = candidates.length
      while (place > 0 && candidates[place - 1]!.score < score) place--
      candidates.splice(place, 0, { document_id, generation, n, score, confidence })
      if (candidates.length > MAX_CANDIDATES) candidates.pop()
    }
    first += chunks
  }
  return candidates.filter(({ score }) => score >= candidates[0]!.score * MIN_SHARE)
}

/** Of the candidates those that add something, as long as they fit. */
function selectPassages(
  texts: readonly StoredChunk[],
  candidates: readonly Candidate[],
  terms: readonly QueryTerm[],
  max_chars: number,
): Passage[] {
  const asked = new Set(terms.map(({ hash }) => hash))
  const chosen: { passage: Passage; found: Map<number, Term> }[] = []
  let chars = 0
  for (const { document_id, n, piece, place, text, title: document_title } of texts) {
    if (chosen.length === MAX_PASSAGES) break
    const title = formatTitle(document_title, place)
    const size = text.length + title.length + FRAME_CHARS
    if (chars + size > max_chars) continue
    const found = new Map(extractTerms(`${title}\n${text}`).map((term) => [term.hash, term]))
    if (chosen.some((other) => isRepetition(found, other.found, asked))) continue
    const { confidence } = candidates.find((one) => one.document_id === document_id && one.n === n)!
    chosen.push({ passage: { document_id, chunk: n, piece, place, title, text, confidence }, found })
    chars += size
  }
  return chosen.map(({ passage }) => passage)
}

/** Whether a text says nothing that another one does not. One number makes another price, year or version of it. */
function isRepetition(
  found: ReadonlyMap<number, Term>,
  other: ReadonlyMap<number, Term>,
  asked: ReadonlySet<number>,
): boolean {
  let missing = 0
  for (const [hash, { text }] of found) {
    if (other.has(hash)) continue
    missing++
    if (missing > found.size * MAX_DIFFERENCE || asked.has(hash) || /\d/.test(text)) return false
  }
  return true
}
