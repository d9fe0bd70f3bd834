import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NumberedPiece } from '#server/documents/knowledge/knowledge.ts'
import { extractQueryTerms } from '#server/documents/knowledge/knowledge.ts'
import { readDocument } from '#server/formats/formats.ts'
import type { Files } from './agent.ts'

/** Formats whose reading needs no OCR. */
const FORMATS = ['docx', 'xlsx', 'pptx', 'html', 'csv', 'md', 'odf', 'asciidoc', 'webvtt', 'epub']
/** Questions of each kind about a document, words in a question of words, and most characters of a passage to find. */
const PER_DOCUMENT = { words: 6, gap: 3, heading: 3 }
const WORDS = 5
const MAX_GOLD_CHARS = 120

export type DocumentQuestion = { kind: keyof typeof PER_DOCUMENT; question: string; gold: string }
export type DocumentSet = {
  files: Files
  documents: { title: string; pieces: NumberedPiece[] }[]
  questions: DocumentQuestion[]
}

/**
 * Makes a set of questions by rule from ../shared/data/documents: for each document this many of each kind, chosen by a hash,
 * about passages that occur only once in the set. `words`: five of the rarer words of a sentence or table row in the order of
 * their hashes, with an English ending changed. `gap`: a sentence that asks for its first number or name. `heading`: the subject
 * of a heading, answered by the text below it.
 */
export async function createDocumentSet(data: string): Promise<DocumentSet> {
  const files: Files = {}
  const documents: DocumentSet['documents'] = []
  for (const format of FORMATS) {
    const folder = join(data, 'documents', format, 'sources')
    const names = await readdir(folder).catch(() => [])
    for (const name of names.sort((a, b) => a.localeCompare(b))) {
      const reading = await readDocument({ source: { path: join(folder, name) }, name }).catch(() => null)
      const pieces = reading?.pieces.map(({ text, place }, at) => ({ n: at + 1, text, place })) ?? []
      if (!pieces.length || name in files) continue
      documents.push({ title: name, pieces })
      files[name] = await readFile(join(folder, name))
    }
  }
  const texts = documents.map(({ pieces }) => pieces.map(({ text }) => text))
  const units = texts.map((list) => list.flatMap(splitIntoUnits))
  const headings = texts.map((list) => listHeadings(list.join('\n\n')))
  const times = countTimes([...units.flat(), ...headings.flat().map(({ heading }) => heading)])
  const holders = countTimes(units.flat().flatMap(listWords))
  const questions = units.flatMap((list, at) => {
    const unique = list.filter((unit) => times.get(unit) === 1 && listWords(unit).length >= WORDS)
    const sentences = unique.filter((unit) => !unit.startsWith('|'))
    const asked = headings[at]!.filter(({ heading }) => times.get(heading) === 1)
    const all: DocumentQuestion[] = [
      ...unique.map((gold) => ({ kind: 'words' as const, question: askByWords(gold, holders), gold })),
      ...sentences.flatMap((gold) => {
        const question = askForGap(gold)
        return question ? [{ kind: 'gap' as const, question, gold }] : []
      }),
      ...asked.map(({ heading, gold }) => ({
        kind: 'heading' as const,
        question: /\p{Script=Han}/u.test(heading) ? `${heading}是什么？` : `What is ${heading}?`,
        gold,
      })),
    ]
    const sorted = all.sort((a, b) => hash(a.question).localeCompare(hash(b.question)))
    return [...Map.groupBy(sorted, ({ kind }) => kind)].flatMap(([kind, group]) =>
      group.slice(0, PER_DOCUMENT[kind]),
    )
  })
  return { files, documents, questions }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

function countTimes(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}

const splitIntoUnits = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => (line.startsWith('|') ? [line] : line.split(/(?<=[。！？])|(?<=[.!?])\s+/)))
    .map((unit) => unit.trim())
    .filter((unit) => unit.length >= 20 && unit.length <= 300 && !/^\|[\s|:-]+\|$/.test(unit))

/** Lists headings, each with the beginning of the text below it. */
function listHeadings(markdown: string): { heading: string; gold: string }[] {
  const lines = markdown.split('\n').filter((line) => line.trim())
  return lines.flatMap((line, at) => {
    const [, heading = ''] = /^#{1,6}\s+(.*)$/.exec(line) ?? []
    const next = lines[at + 1] ?? ''
    const says = heading.replace(/[^\p{L}\p{N}]/gu, '').length >= 4 && next.length >= 20
    return says && !/^[#|]/.test(next) ? [{ heading, gold: next.slice(0, MAX_GOLD_CHARS) }] : []
  })
}

const listWords = (unit: string): string[] =>
  extractQueryTerms(unit)
    .filter(({ kind, weight, text }) => kind === 'word' && weight === 1 && /[\p{L}\p{N}]{2}/u.test(text))
    .map(({ text }) => text)

/** Asks by the five words in the fewest units, so that no order of the text helps; changes the number of English ones. */
function askByWords(gold: string, holders: ReadonlyMap<string, number>): string {
  return listWords(gold)
    .sort((a, b) => holders.get(a)! - holders.get(b)! || hash(a).localeCompare(hash(b)))
    .slice(0, WORDS)
    .sort((a, b) => hash(a).localeCompare(hash(b)))
    .map((word) => (/^[a-z]{4,}[^s]$/.test(word) ? `${word}s` : word))
    .join(' ')
}

/** Asks for the first number of a sentence, or for a name that does not begin it; null without either. */
function askForGap(sentence: string): string | null {
  const [found] = /\d[\d.,]*\d|\d/.exec(sentence) ?? /(?<=\p{L}\s)\p{Lu}[\p{L}-]{2,}/u.exec(sentence) ?? []
  if (!found) return null
  return sentence.replace(found, /\p{Script=Han}/u.test(sentence) ? '什么' : 'what')
}
