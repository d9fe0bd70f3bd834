import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A file of the data set with what another project read in it. */
export type Sample = { format: string; path: string; truth: string }

/** How much of the other project's reading is in ours. */
export type Score = {
  strings: number
  strings_found: number
  cells: number
  cells_found: number
  missing: string[]
}

/** Every file under `documents` that has a reading beside it. */
export function listSamples(data: string): Sample[] {
  return globSync(join(data, 'documents/*/groundtruth/**/*.md')).flatMap((truth) => {
    const [format = ''] = truth.slice(join(data, 'documents/').length).split('/')
    const name = basename(truth).replace(/(\.tesseract\.full_page)?\.md$/, '')
    const [path] = globSync(join(data, 'documents', format, 'sources', `${name}{,.pdf}`))
    return path ? [{ format, path, truth: readFileSync(truth, 'utf8') }] : []
  })
}

export function scoreReading(truth: string, reading: string): Score {
  const text = normalize(reading)
  const strings = truth
    .split('\n')
    .filter((line) => !/^\s*\|/.test(line))
    .flatMap(toSentences)
  const missing = strings.filter((sentence) => !text.includes(normalize(sentence)))
  const cells = listCells(truth)
  const own = new Map<string, number>()
  for (const cell of listCells(reading)) own.set(cell, (own.get(cell) ?? 0) + 1)
  const lost = cells.filter((cell) => {
    const left = own.get(cell) ?? 0
    own.set(cell, left - 1)
    return left <= 0
  })
  return {
    strings: strings.length,
    strings_found: strings.length - missing.length,
    cells: cells.length,
    cells_found: cells.length - lost.length,
    missing: [...missing, ...lost.map((cell) => `| ${cell} |`)],
  }
}

/** What is compared are the words: no marks of Markdown, no white space, no escapes. */
function normalize(text: string): string {
  return text
    .replace(/<!--.*?-->|!\[[^\]]*\]\([^)]*\)/gs, '')
    .replace(/\]\((?:[^()\n]|\([^()\n]*\))*\)/g, ']')
    .replace(/<br>/g, '')
    .replace(/&(?:#(\d+)|(lt|gt|amp|quot|nbsp));/g, (_, code: string, name: string) =>
      code ? String.fromCodePoint(Number(code)) : ({ lt: '<', gt: '>', amp: '&', quot: '"' }[name] ?? ''),
    )
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u2032]/g, "'")
    .replace(/[\u201C\u201D\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '')
    .replace(/[\s*_~`#\\>|$[\]{}\u200B\uFEFF-]/g, '')
    .toLowerCase()
}

/** Sentences of three letters or more; pictures and rules have none. */
const toSentences = (line: string): string[] =>
  line
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s*)?/, '')
    .split(/(?<=[.!?。！？；])\s+/)
    .filter((sentence) => normalize(sentence).length >= 3)

/** The cells of all tables that have a text. */
function listCells(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => /^\s*\|/.test(line) && !/^[\s|:-]+$/.test(line))
    .flatMap((line) => line.replaceAll('\\|', '\u0001').split('|').slice(1, -1))
    .map((cell) => normalize(cell.replaceAll('\u0001', '|')))
    .filter(Boolean)
}
