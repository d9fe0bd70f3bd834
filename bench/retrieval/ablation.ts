import type { QueryTerm } from '#server/knowledge/bm25.ts'
import { extractQueryTerms, scoreSegments } from '#server/knowledge/bm25.ts'
import { splitIntoChunks } from '#server/knowledge/chunks.ts'
import { formatTitle } from '#server/knowledge/passage.ts'
import { parseSegment, SegmentBuilder } from '#server/knowledge/segment.ts'
import type { Segment } from '#server/knowledge/segment.ts'
import { countTerms } from '#server/knowledge/terms.ts'
import { createDocumentSet } from './documents.ts'
import { toFigures, toLetters } from './quality.ts'
import type { Row } from './quality.ts'
import { readXquad, toDocuments } from './xquad.ts'

type Chunks = { texts: string[]; titled: Segment; untitled: Segment }
type Asked = { question: string; isGold: (text: string) => boolean }

/** What each stage of the search by words adds: questions with some of their terms, chunks without their titles. */
export async function measureAblation(data: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const language of ['zh', 'en'] as const) {
    const corpus = readXquad(data, language)
    const asked = corpus.questions.map(({ text, paragraph }) => {
      const gold = corpus.paragraphs[paragraph]!.text
      return { question: text, isGold: (text: string) => gold.includes(text) || text.includes(gold) }
    })
    rows.push(...measureStages(`xquad ${language}`, await indexChunks(toDocuments(corpus)), asked))
  }
  const { documents, questions } = await createDocumentSet(data)
  const asked = questions.map(({ question, gold }) => ({
    question,
    isGold: (text: string) => toLetters(text).includes(toLetters(gold)),
  }))
  rows.push(...measureStages('documents', await indexChunks(documents), asked))
  return rows
}

async function indexChunks(documents: Parameters<typeof toPieces>[0][]): Promise<Chunks> {
  const texts: string[] = []
  const titled = new SegmentBuilder()
  const untitled = new SegmentBuilder()
  for (const document of documents) {
    for (const { text, place } of splitIntoChunks(toPieces(document))) {
      texts.push(text)
      titled.add(countTerms(`${formatTitle(document.title, place)}\n${text}`))
      untitled.add(countTerms(text))
    }
  }
  return { texts, titled: parseSegment(await titled.pack()), untitled: parseSegment(await untitled.pack()) }
}

const toPieces = ({ pieces }: { title: string; pieces: Parameters<typeof splitIntoChunks>[0] }) => pieces

function measureStages(set: string, { texts, titled, untitled }: Chunks, asked: Asked[]): Row[] {
  const isWord = ({ kind }: QueryTerm): boolean => kind === 'word'
  const unweigh = (term: QueryTerm): QueryTerm => ({ ...term, weight: 1 })
  const stages: [name: string, segment: Segment, toTerms: (question: string) => QueryTerm[]][] = [
    ['words', untitled, (question) => extractQueryTerms(question).filter(isWord).map(unweigh)],
    [
      'pairs of characters',
      untitled,
      (question) =>
        extractQueryTerms(question)
          .filter((term) => !isWord(term))
          .map(unweigh),
    ],
    ['words and pairs', untitled, (question) => extractQueryTerms(question).map(unweigh)],
    ['weighted', untitled, (question) => extractQueryTerms(question)],
    ['weighted, with titles', titled, (question) => extractQueryTerms(question)],
  ]
  return stages.map(([stage, segment, toTerms]) => {
    const ranks = asked.map(({ question, isGold }) => {
      const { scores } = scoreSegments([segment], toTerms(question))
      const best = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!)
      const at = best.findIndex((chunk) => scores[chunk]! > 0 && isGold(texts[chunk]!))
      return at < 0 || at > 9 ? null : at + 1
    })
    return { set, stage, ...toFigures(ranks) }
  })
}
