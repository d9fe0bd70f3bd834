import { listCells, normalize } from '../readers/text.ts'
import type { Assertion, Project } from './assertion.ts'
import { getHtmlText } from './html.ts'
import { readFile } from './read.ts'

/** An assertion that our reading does not keep; `error` is why there is no reading. */
export type Miss = Assertion & { error?: string; reading: string }
export type Verdict = {
  name: string
  files: number
  assertions: number
  kept: number
  misses: Miss[]
  excluded: Map<string, number>
}

/** Reads each file of a project once and tells which assertions the readings keep. */
export async function judge({ name, list, exclusions = [] }: Project, clone: string): Promise<Verdict> {
  const verdict: Verdict = { name, files: 0, assertions: 0, kept: 0, misses: [], excluded: new Map() }
  const byFile = Map.groupBy(list(clone).flatMap(splitText), ({ file }) => file)
  for (const [file, listed] of byFile) {
    const wanted = distinct(listed).filter(({ text }) => {
      const exclusion = exclusions.find((each) => each.file.test(file) && (each.text?.test(text) ?? true))
      if (exclusion) verdict.excluded.set(exclusion.reason, (verdict.excluded.get(exclusion.reason) ?? 0) + 1)
      return !exclusion
    })
    if (!wanted.length) continue
    const { text, error } = await readFile(file)
    const misses = findMisses(wanted, text, file).map((miss) => ({
      ...miss,
      reading: text,
      ...(error ? { error } : {}),
    }))
    verdict.files++
    verdict.assertions += wanted.length
    verdict.kept += wanted.length - misses.length
    verdict.misses.push(...misses)
  }
  return verdict
}

/** Marks of notes, and the ways back from them. */
const NOTE_MARK = /<a [^>]*href="#[^>]*>[^<]*<\/a>/g

/** Cuts texts to lines, and HTML to the lines of its text; lines without letters say nothing. */
function splitText(assertion: Assertion): Assertion[] {
  const text = /^\s*<[\w!]/.test(assertion.text)
    ? getHtmlText(assertion.text.replace(NOTE_MARK, '<br>'))
    : assertion.text
  return text
    .split(/[\n\f]+/)
    .filter((line) => normalize(line))
    .map((line) => ({ ...assertion, text: line.trim() }))
}

/** Leaves out what another test wants as well; cells count as often as they are in their table. */
function distinct(assertions: Assertion[]): Assertion[] {
  const seen = new Set<string>()
  return assertions.filter(({ text, isAbsent, isCell }) => {
    const key = `${String(isAbsent)} ${normalize(text)}`
    return isCell || (!seen.has(key) && seen.add(key))
  })
}

function findMisses(wanted: Assertion[], reading: string, file: string): Assertion[] {
  const text = normalize(reading)
  // A PDF has no tables but those that its reader believes to see, and plain text is given as it is.
  const hasTables = !/\.(pdf|md|asciidoc)$/.test(file)
  const words = listWords(hasTables ? reading.replace(/^\s*\|.*$/gm, '') : reading)
  const cells = new Map<string, number>()
  for (const cell of listCells(reading)) cells.set(cell, (cells.get(cell) ?? 0) + 1)
  return wanted.filter((assertion) => {
    if (assertion.isAbsent) return reading.includes(assertion.text)
    const sought = normalize(assertion.text)
    if (!assertion.isCell) return !text.includes(sought) && !reading.includes(assertion.text)
    const left = cells.get(sought) ?? 0
    cells.set(sought, left - 1)
    return left <= 0 && !words.includes(listWords(assertion.text))
  })
}

/** Returns the words of a text, each between two spaces. */
const listWords = (text: string): string =>
  ` ${text
    .split(/[\s|]+|<[^>]*>/)
    .map(normalize)
    .filter(Boolean)
    .join(' ')} `
