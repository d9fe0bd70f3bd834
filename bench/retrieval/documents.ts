import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NumberedPiece } from '#server/knowledge/knowledge.ts'
import { extractQueryTerms } from '#server/knowledge/knowledge.ts'
import { readDocument } from '#server/readers/readers.ts'

/** Formats whose reading needs no OCR. */
const FORMATS = ['docx', 'xlsx', 'pptx', 'html', 'csv', 'md', 'odf', 'asciidoc', 'webvtt', 'epub']
/** Sentences or rows of a document that are asked for, and words of a question. */
const PER_DOCUMENT = 6
const WORDS = 5

export type DocumentSet = {
  documents: { title: string; pieces: NumberedPiece[] }[]
  questions: { question: string; gold: string }[]
}

/**
 * A set made by rule from ../shared/data/documents: of each document some sentences and table rows, chosen by a hash, that stand
 * there only once; the question is five of its rarer words in the order of their hashes, with an English ending changed.
 */
export async function createDocumentSet(data: string): Promise<DocumentSet> {
  const documents: DocumentSet['documents'] = []
  for (const format of FORMATS) {
    const folder = join(data, 'documents', format, 'sources')
    const names = await readdir(folder).catch(() => [])
    for (const name of names.sort((a, b) => a.localeCompare(b))) {
      const reading = await readDocument({ source: { path: join(folder, name) }, name }).catch(() => null)
      const pieces = reading?.pieces.map(({ text, place }, at) => ({ n: at + 1, text, place })) ?? []
      if (pieces.length) documents.push({ title: name, pieces })
    }
  }
  const units = documents.map(({ pieces }) => pieces.flatMap(({ text }) => splitIntoUnits(text)))
  const times = new Map<string, number>()
  const holders = new Map<string, number>()
  for (const unit of units.flat()) {
    times.set(unit, (times.get(unit) ?? 0) + 1)
    for (const word of listWords(unit)) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const questions = units.flatMap((list) =>
    list
      .filter((unit) => times.get(unit) === 1 && listWords(unit).length >= WORDS)
      .sort((a, b) => hash(a).localeCompare(hash(b)))
      .slice(0, PER_DOCUMENT)
      .map((gold) => ({ question: toQuestion(gold, holders), gold })),
  )
  return { documents, questions }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const splitIntoUnits = (markdown: string): string[] =>
  markdown
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line] : line.split(/(?<=[。！？])|(?<=[.!?])\s+/)))
    .map((unit) => unit.trim())
    .filter((unit) => unit.length >= 20 && unit.length <= 300 && !/^\|[\s|:-]+\|$/.test(unit))

const listWords = (unit: string): string[] =>
  extractQueryTerms(unit)
    .filter(({ kind, weight, text }) => kind === 'word' && weight === 1 && /[\p{L}\p{N}]{2}/u.test(text))
    .map(({ text }) => text)

/** The five words that fewest units have, so that no order of the text helps; English ones in the plural or the singular. */
function toQuestion(gold: string, holders: ReadonlyMap<string, number>): string {
  return listWords(gold)
    .sort((a, b) => holders.get(a)! - holders.get(b)! || hash(a).localeCompare(hash(b)))
    .slice(0, WORDS)
    .sort((a, b) => hash(a).localeCompare(hash(b)))
    .map((word) => (/^[a-z]{4,}[^s]$/.test(word) ? `${word}s` : word))
    .join(' ')
}
