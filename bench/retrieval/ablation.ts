import type { QueryTerm } from '#server/documents/knowledge/bm25.ts'
import { extractQueryTerms, scoreSegments } from '#server/documents/knowledge/bm25.ts'
import { splitIntoChunks } from '#server/documents/knowledge/chunks.ts'
import type { NumberedPiece } from '#server/documents/knowledge/knowledge.ts'
import { formatTitle } from '#server/documents/knowledge/passage.ts'
import { rankChunks } from '#server/documents/knowledge/ranking.ts'
import type { Part } from '#server/documents/knowledge/ranking.ts'
import { parseSegment, SegmentBuilder } from '#server/documents/knowledge/segment.ts'
import type { Segment } from '#server/documents/knowledge/segment.ts'
import { countTerms } from '#server/documents/knowledge/terms.ts'
import { packVectors, parseVectors, scoreVectors, toVector } from '#server/documents/knowledge/vectors.ts'
import type { Vector } from '#server/documents/knowledge/vectors.ts'
import { createDocumentSet } from './documents.ts'
import { createLexiconEmbedding, createWordEmbedding } from './embeddings.ts'
import { isPartOf, percent, toFigures, toLetters } from './figures.ts'
import type { Row } from './figures.ts'
import type { Embed } from './model-double.ts'
import { readXquad, toDocuments } from './xquad.ts'

const MODEL = 'double'
type Document = { title: string; pieces: NumberedPiece[] }
type Index = { texts: string[]; untitled: Segment; part: Part }
type Asked = { question: string; isGold: (text: string) => boolean }

/**
 * Measures the contribution of each stage of the search, on the same chunks: questions with some of their terms, chunks without
 * their titles, and vectors of doubles that know no answers (embeddings.ts).
 */
export async function measureAblation(data: string): Promise<Row[]> {
  const rows: Row[] = []
  const byWord = createWordEmbedding(data)
  for (const [asked, searched] of [
    ['zh', 'zh'],
    ['en', 'en'],
    ['zh', 'en'],
  ] as const) {
    const corpus = readXquad(data, searched)
    const questions = readXquad(data, asked).questions.map(({ text, paragraph }) => ({
      question: text,
      isGold: (found: string) => isPartOf(found, corpus.paragraphs[paragraph]!.text),
    }))
    const embed = asked === searched ? byWord : createLexiconEmbedding(data)
    const index = await createIndex(toDocuments(corpus), embed)
    rows.push(...measureStages(`xquad ${asked} → ${searched}`, index, questions, embed))
  }
  const { documents, questions } = await createDocumentSet(data)
  const index = await createIndex(documents, byWord)
  for (const [kind, group] of Map.groupBy(questions, (one) => one.kind)) {
    const asked = group.map(({ question, gold }) => ({
      question,
      isGold: (text: string) => toLetters(text).includes(toLetters(gold)),
    }))
    rows.push(...measureStages(`documents, ${kind}`, index, asked, byWord))
  }
  return rows
}

/** Counts how often nothing is found in the article that a question is about, and in one that it is not about. */
export async function measureRelevance(data: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const language of ['zh', 'en'] as const) {
    const corpus = readXquad(data, language)
    const parts: Part[] = []
    for (const document of toDocuments(corpus)) parts.push((await createIndex([document])).part)
    const share = (distance: number): number => {
      const refused = corpus.questions.filter(({ text, article }) => {
        const part = parts[(article + distance) % parts.length]!
        return !rankChunks([part], toQuestion(text)).length
      })
      return percent(refused.length / corpus.questions.length)
    }
    rows.push({
      set: `xquad ${language}`,
      'own article, nothing %': share(0),
      'another, nothing %': share(7),
    })
  }
  return rows
}

async function createIndex(documents: readonly Document[], embed?: Embed): Promise<Index> {
  const texts: string[] = []
  const vectors: Vector[] = []
  const titled = new SegmentBuilder()
  const untitled = new SegmentBuilder()
  for (const document of documents) {
    for (const { text, place } of splitIntoChunks(document.pieces)) {
      const content = `${formatTitle(document.title, place)}\n${text}`
      texts.push(text)
      titled.add(countTerms(content))
      untitled.add(countTerms(text))
      if (embed) vectors.push(toVector(embed(content))!)
    }
  }
  const segment = parseSegment(await titled.pack())
  const part = {
    id: '',
    document_id: '',
    generation: 1,
    first: 0,
    chunks: texts.length,
    segment,
    vectors_id: embed ? MODEL : null,
    model: embed ? MODEL : null,
    vectors: embed && parseVectors(packVectors(vectors)),
  }
  return { texts, untitled: parseSegment(await untitled.pack()), part }
}

const toQuestion = (question: string, vector?: Vector | null) => ({
  question,
  earlier: [],
  recent: [],
  vectors: new Map(vector ? [[MODEL, vector]] : []),
})

function measureStages(set: string, { texts, untitled, part }: Index, asked: Asked[], embed: Embed): Row[] {
  const isWord = ({ kind }: QueryTerm): boolean => kind === 'word'
  const unweigh = (term: QueryTerm): QueryTerm => ({ ...term, weight: 1 })
  const byWords = (segment: Segment, select: (terms: QueryTerm[]) => QueryTerm[]) => (question: string) =>
    listBest(scoreSegments([segment], select(extractQueryTerms(question))).scores)
  const rank = (question: string, vector?: Vector | null): number[] =>
    rankChunks([part], toQuestion(question, vector)).map(({ n }) => n)
  const stages: [name: string, find: (question: string) => number[]][] = [
    ['words', byWords(untitled, (terms) => terms.filter(isWord).map(unweigh))],
    ['pairs of characters', byWords(untitled, (terms) => terms.filter((term) => !isWord(term)).map(unweigh))],
    ['words and pairs', byWords(untitled, (terms) => terms.map(unweigh))],
    ['+ weights', byWords(untitled, (terms) => terms)],
    ['+ titles', byWords(part.segment, (terms) => terms)],
    ['+ relevance', (question) => rank(question)],
    [
      'vectors alone',
      (question) => {
        const vector = toVector(embed(question))
        return vector ? listBest(scoreVectors([part.vectors!], vector).cosines) : []
      },
    ],
    ['+ fusion', (question) => rank(question, toVector(embed(question)))],
  ]
  return stages.map(([stage, find]) => {
    const ranks = asked.map(({ question, isGold }) => {
      const at = find(question)
        .slice(0, 10)
        .findIndex((chunk) => isGold(texts[chunk]!))
      return at < 0 ? null : at + 1
    })
    return { set, stage, ...toFigures(ranks) }
  })
}

const listBest = (scores: Float32Array): number[] =>
  Array.from(scores.keys())
    .filter((chunk) => scores[chunk]! > 0)
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, 10)
