import { openAgent } from './agent.ts'
import type { Files, Models } from './agent.ts'
import { createDocumentSet } from './documents.ts'
import { createLexiconEmbedding, createToldEmbedding, createWordEmbedding } from './embeddings.ts'
import { isPartOf, quantile, toFigures, toLetters } from './figures.ts'
import type { Rank, Row } from './figures.ts'
import { readXquad, toDocuments } from './xquad.ts'
import type { Language } from './xquad.ts'

/** With a model, only one question in this many is asked. */
const SAMPLED = 4

type Question = { question: string; isGold: (text: string) => boolean }

/** Measures how well an agent finds the passages for questions, as programs see them in `reference`. */
export async function measureQuality(data: string): Promise<Row[]> {
  const { files, questions } = await createDocumentSet(data)
  const documents = questions.map(({ kind, question, gold }) => ({
    kind,
    question,
    isGold: (text: string) => toLetters(text).includes(toLetters(gold)),
  }))
  const rows: Row[] = []
  const measure = async (set: string, from: Files, models: Models, asked: Question[]): Promise<void> => {
    const { ranks, row } = await askAll(from, models, asked)
    console.log(`${set}: done`)
    rows.push({ set, ...row })
    if (asked !== documents) return
    for (const [kind, group] of Map.groupBy(documents.entries(), ([, one]) => one.kind))
      rows.push({ set: `${set}: ${kind}`, ...toFigures(group.map(([at]) => ranks[at]!)) })
  }
  for (const [set, asked, searched, models] of [
    ['zh → zh', 'zh', 'zh', {}],
    ['en → en', 'en', 'en', {}],
    ['zh → en', 'zh', 'en', {}],
    ['zh → en, vectors by a lexicon', 'zh', 'en', { embed: createLexiconEmbedding(data) }],
    ['zh → en, vectors that are told', 'zh', 'en', { embed: createToldEmbedding(data, 'zh', 'en') }],
    ['zh → zh, vectors of words', 'zh', 'zh', { embed: createWordEmbedding(data) }],
    ['zh → zh, reranked by a double', 'zh', 'zh', { reranks: true }],
  ] as const) {
    const all = toQuestions(data, asked, searched)
    const some = all.filter((_, at) => at % SAMPLED === 0)
    const isWhole = Object.keys(models).length === 0 && asked === searched
    await measure(`xquad ${set}`, toFiles(data, searched), models, isWhole ? all : some)
  }
  await measure('documents', files, {}, documents)
  return rows
}

/** Returns a file for each article, with a name that gives nothing away and its paragraphs as they are. */
const toFiles = (data: string, language: Language): Files =>
  Object.fromEntries(
    toDocuments(readXquad(data, language)).map(({ title, pieces }) => [
      title,
      pieces.map(({ text }) => text).join('\n\n'),
    ]),
  )

const toQuestions = (data: string, asked: Language, searched: Language): Question[] => {
  const { paragraphs } = readXquad(data, searched)
  return readXquad(data, asked).questions.map(({ text, paragraph }) => ({
    question: text,
    isGold: (found) => isPartOf(found, paragraphs[paragraph]!.text),
  }))
}

async function askAll(
  files: Files,
  models: Models,
  questions: Question[],
): Promise<{ ranks: Rank[]; row: Row }> {
  const agent = await openAgent(files, models)
  try {
    if (agent.failed.length) console.log(`not indexed: ${agent.failed.join(', ')}`)
    const ranks: Rank[] = []
    const times: number[] = []
    for (const { question, isGold } of questions) {
      const { found, search_ms } = await agent.ask(question)
      const at = found.findIndex(({ content }) => isGold(content))
      ranks.push(at < 0 ? null : at + 1)
      times.push(search_ms)
    }
    const { chunks } = agent
    return {
      ranks,
      row: {
        ...toFigures(ranks),
        chunks,
        'p50 ms': quantile(times, 0.5),
        'p95 ms': quantile(times, 0.95),
      },
    }
  } finally {
    await agent.close()
  }
}
