import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import { extractQueryTerms } from './bm25.ts'
import { embedQuestion, findModel, rerank } from './models.ts'
import type { Payer } from '#server/runs/runs.ts'
import type { ModelDeps } from './models.ts'
import { formatTitle } from './passage.ts'
import type { Passage } from './passage.ts'
import { rankChunks } from './ranking.ts'
import type { Candidate, Part } from './ranking.ts'
import type { SegmentCache } from './segment-cache.ts'
import * as store from './store.ts'
import type { SearchedSegment, StoredChunk } from './store.ts'
import { extractTerms } from './terms.ts'
import type { Term } from './terms.ts'
import type { Vector } from './vectors.ts'

export type SearchRequest = Payer & {
  /** The documents to search, and no others: the caller has checked who may see them. */
  documents: readonly string[]
  question: string
  /** Questions before it, the latest one last. */
  earlier?: readonly string[]
  /** The chunks from which the last answer was made. */
  recent?: readonly { document_id: string; chunk: number }[]
  /** Most characters of all passages together. */
  max_chars: number
  signal: AbortSignal
}
type Deps = ModelDeps & { db: Db; cache: SegmentCache; log: Log }

/** Candidates that a model ranks, and the characters that it reads of each. */
const RERANKED = 20
const RERANKED_CHARS = 2_000
const MAX_PASSAGES = 12
/** Most searches while documents are being indexed anew. */
const MAX_TIMES = 3
/** Two passages are the same where no more than this share of the terms of one is missing in the other. */
const MAX_DIFFERENCE = 0.05
/** Characters of a passage in a prompt beside its text and title. */
const FRAME_CHARS = 60

/**
 * Finds the passages of documents that are relevant to a question, the best ones first; none where nothing is. Models only make
 * the result better: a search goes on without one that fails. Throws the reason of the signal.
 */
export async function search(deps: Deps, request: SearchRequest): Promise<Passage[]> {
  const vectors: QuestionVectors = new Map()
  let findings = await find(deps, request, vectors)
  for (let times = 1; times < MAX_TIMES && !findings.is_whole; times++)
    findings = await find(deps, request, vectors)
  if (!findings.texts.length) return []
  return selectPassages(await rerankTexts(deps, request, findings.texts), findings.candidates, request)
}

/** Vectors of a question by the models that were asked for one; null for a model that failed. */
type QuestionVectors = Map<string, Vector | null>

type Findings = {
  candidates: Candidate[]
  texts: StoredChunk[]
  /** No document was indexed anew meanwhile: its words and texts would be gone, and others be there. */
  is_whole: boolean
}

async function find(deps: Deps, request: SearchRequest, questionVectors: QuestionVectors): Promise<Findings> {
  const { db, cache } = deps
  const { documents, question, earlier = [], recent = [], signal } = request
  const rows = documents.length ? await store.listSegments(db, documents) : []
  const [vectors, parts] = await Promise.all([
    embedForModels(deps, request, rows, questionVectors),
    loadParts(cache, rows, signal),
  ])
  const candidates = rankChunks(parts, { question, earlier, recent, vectors })
  signal.throwIfAborted()
  const texts = candidates.length ? await store.readChunks(db, candidates) : []
  return { candidates, texts, is_whole: parts.length === rows.length && texts.length === candidates.length }
}

async function loadParts(
  cache: SegmentCache,
  rows: readonly SearchedSegment[],
  signal: AbortSignal,
): Promise<Part[]> {
  const ids = rows.map(({ id }) => id)
  const vectorsIds = rows.flatMap(({ vectors_id }) => vectors_id ?? [])
  const words = await cache.loadWords(ids, signal)
  const vectors = await cache.loadVectors(vectorsIds, signal)
  return rows.flatMap((row) => {
    const segment = words.get(row.id)
    return segment ? { ...row, segment, vectors: vectors.get(row.vectors_id ?? '') } : []
  })
}

/** Adds the question's vector for each model of the documents' vectors. Returns those that could be made. */
async function embedForModels(
  deps: Deps,
  request: SearchRequest,
  rows: readonly SearchedSegment[],
  vectors: QuestionVectors,
): Promise<Map<string, Vector>> {
  const { question, signal } = request
  const models = deps.embedding_model === 'off' ? [] : new Set(rows.flatMap(({ model }) => model ?? []))
  const embed = async (model: string): Promise<void> => {
    try {
      vectors.set(model, await embedQuestion(deps, request, { model, question }, signal))
    } catch (err) {
      signal.throwIfAborted()
      vectors.set(model, null)
      deps.log.warn({ err, model }, 'a question was searched for without its vector')
    }
  }
  await Promise.all(Array.from(models, async (model) => vectors.has(model) || embed(model)))
  return new Map([...vectors].flatMap(([model, vector]) => (vector ? [[model, vector]] : [])))
}

/** Puts texts in the order of a model that reads them, where there is one; texts that it does not rank come last. */
async function rerankTexts(deps: Deps, request: SearchRequest, texts: StoredChunk[]): Promise<StoredChunk[]> {
  const model = texts.length > 1 ? findModel(deps, 'rerank') : null
  if (!model) return texts
  const { question, signal } = request
  try {
    const inputs = texts
      .slice(0, RERANKED)
      .map(({ title, place, text }) =>
        `${formatTitle(title, place)}\n${text}`.slice(0, RERANKED_CHARS).toWellFormed(),
      )
    const order = await rerank(deps, request, { model, question, texts: inputs }, signal)
    const ranked = order.map((at) => texts[at]!)
    return [...ranked, ...texts.filter((text) => !ranked.includes(text))]
  } catch (err) {
    signal.throwIfAborted()
    deps.log.warn({ err, model }, 'passages were not reranked')
    return texts
  }
}

/** Selects the texts that add something, as long as they fit. */
function selectPassages(
  texts: readonly StoredChunk[],
  candidates: readonly Candidate[],
  { question, max_chars }: SearchRequest,
): Passage[] {
  const questionHashes = new Set(extractQueryTerms(question).map(({ hash }) => hash))
  const selection: { passage: Passage; terms: Map<number, Term> }[] = []
  let chars = 0
  for (const { document_id, n, piece, place, text, title: documentTitle } of texts) {
    if (selection.length === MAX_PASSAGES) break
    const title = formatTitle(documentTitle, place)
    const size = text.length + title.length + FRAME_CHARS
    if (chars + size > max_chars) continue
    const terms = new Map(Array.from(extractTerms(`${title}\n${text}`), (term) => [term.hash, term]))
    if (selection.some((other) => isRepetition(terms, other.terms, questionHashes))) continue
    const { confidence } = candidates.find((one) => one.document_id === document_id && one.n === n)!
    selection.push({ passage: { document_id, chunk: n, piece, place, title, text, confidence }, terms })
    chars += size
  }
  return selection.map(({ passage }) => passage)
}

/** Tells whether a text says nothing that another one does not. A number that only it has is another price, year or version. */
function isRepetition(
  terms: ReadonlyMap<number, Term>,
  other: ReadonlyMap<number, Term>,
  questionHashes: ReadonlySet<number>,
): boolean {
  let missingCount = 0
  for (const [hash, { text }] of terms) {
    if (other.has(hash)) continue
    missingCount++
    if (missingCount > terms.size * MAX_DIFFERENCE || questionHashes.has(hash) || /\d/.test(text))
      return false
  }
  return true
}
