import { createDocumentSet } from './documents.ts'
import { startEmbeddingDouble } from './embedding-double.ts'
import { openBench } from './open.ts'
import { readXquad, toDocuments } from './xquad.ts'
import type { Language } from './xquad.ts'

type Rank = number | null
export type Row = Record<string, string | number>

export const percent = (share: number): number => Math.round(share * 10_000) / 100

export function toFigures(ranks: Rank[]): Row {
  const share = (most: number): number =>
    percent(ranks.filter((rank) => rank !== null && rank <= most).length / ranks.length)
  const mrr = ranks.reduce<number>((sum, rank) => sum + (rank !== null && rank <= 10 ? 1 / rank : 0), 0)
  return {
    questions: ranks.length,
    'Hit@1': share(1),
    'Hit@5': share(5),
    'MRR@10': Math.round((mrr / ranks.length) * 10_000) / 10_000,
  }
}

const quantile = (values: number[], q: number): number =>
  Math.round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]! * 10,
  ) / 10

/** Of a question in one language the rank of its paragraph in another one, through `search`. */
export async function measureXquad(
  data: string,
  asked: Language,
  searched: Language,
  with_vectors: boolean,
): Promise<Row> {
  const corpus = readXquad(data, searched)
  const { questions } = readXquad(data, asked)
  const byQuestion = new Map(questions.map((question) => [question.text, question]))
  const double = with_vectors
    ? await startEmbeddingDouble((text) => {
        const content = text.slice(text.indexOf('\n') + 1)
        const question = byQuestion.get(text)
        if (question) return question
        const paragraph = corpus.paragraphs.findIndex((one) => one.text.includes(content.slice(0, 60)))
        return paragraph < 0 ? undefined : { paragraph, article: corpus.paragraphs[paragraph]!.article }
      })
    : null
  const bench = await openBench(double?.url)
  try {
    const ids = await bench.index(toDocuments(corpus))
    const ranks: Rank[] = []
    const times: number[] = []
    let refused = 0
    let refused_foreign = 0
    for (const question of questions) {
      const before = performance.now()
      const found = await bench.search(ids, question.text)
      times.push(performance.now() - before)
      ranks.push(findRank(found, corpus.paragraphs[question.paragraph]!.text))
      if (!(await bench.search([ids[question.article]!], question.text)).length) refused++
      if (!(await bench.search([ids[(question.article + 7) % ids.length]!], question.text)).length)
        refused_foreign++
    }
    return {
      set: `xquad ${asked} → ${searched}${with_vectors ? ', vectors' : ''}`,
      ...toFigures(ranks),
      'refused, answerable %': percent(refused / ranks.length),
      'refused, other article %': percent(refused_foreign / ranks.length),
      'p50 ms': quantile(times, 0.5),
      'p95 ms': quantile(times, 0.95),
    }
  } finally {
    await bench.close()
    double?.close()
  }
}

/** Chunks may be a part of a paragraph, or have its neighbour beside it. */
function findRank(found: { text: string }[], paragraph: string): Rank {
  const gold = toLetters(paragraph)
  const at = found
    .map(({ text }) => toLetters(text))
    .findIndex((text) => gold.includes(text) || text.includes(gold))
  return at < 0 ? null : at + 1
}

/** What is written, whatever its marks: of two versions of a document one has them and one has not. */
export const toLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Sentences and table rows of real documents, looked for by their rarest words. */
export async function measureDocuments(data: string): Promise<Row> {
  const { documents, questions } = await createDocumentSet(data)
  const bench = await openBench()
  try {
    const ids = await bench.index(documents)
    const ranks: Rank[] = []
    for (const { question, gold } of questions) {
      const found = await bench.search(ids, question)
      const at = found.findIndex(({ text }) => toLetters(text).includes(toLetters(gold)))
      ranks.push(at < 0 ? null : at + 1)
    }
    return { set: `documents (${documents.length})`, ...toFigures(ranks) }
  } finally {
    await bench.close()
  }
}
