import { readFileSync } from 'node:fs'

export type Language = 'zh' | 'en'
export type Question = { text: string; paragraph: number; article: number }
export type Corpus = { paragraphs: { text: string; article: number }[]; questions: Question[] }

type File = {
  data: { paragraphs: { context: string; qas: { question: string }[] }[] }[]
}

/** Reads XQuAD's paragraphs and questions of a language: the same in all of them, in the same order. */
export function readXquad(data: string, language: Language): Corpus {
  const file = JSON.parse(readFileSync(`${data}/xquad/xquad.${language}.json`, 'utf8')) as File
  const corpus: Corpus = { paragraphs: [], questions: [] }
  for (const [article, { paragraphs }] of file.data.entries()) {
    for (const { context, qas } of paragraphs) {
      corpus.paragraphs.push({ text: context, article })
      for (const { question } of qas)
        corpus.questions.push({ text: question, paragraph: corpus.paragraphs.length - 1, article })
    }
  }
  return corpus
}

/** Returns a document for each article, with a piece for each paragraph and a name that gives nothing away. */
export function toDocuments({ paragraphs }: Corpus) {
  return [...Map.groupBy(paragraphs, ({ article }) => article)].map(([article, texts]) => ({
    title: `${article + 1}.md`,
    pieces: texts.map(({ text }, at) => ({ n: at + 1, text, place: {} })),
  }))
}
