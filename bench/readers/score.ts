import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readDocument, rereadPages } from '#server/formats/formats.ts'
import { listCells, listSentences, normalize } from './text.ts'

/** A file of the data set with another project's reading of it. */
export type Sample = { format: string; path: string; truth: string }

/** The share of the other project's reading that ours contains. */
export type Score = {
  strings: number
  strings_found: number
  cells: number
  cells_found: number
  missing: string[]
}

/** Lists the files under `documents` that have a reading beside them. */
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
  const strings = listSentences(truth)
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

type Sum = { files: number; seconds: number; score: Score }

/** Prints how much of docling's readings is in ours, or in another reader's, by format. */
export async function runScore(data: string, readings: string | undefined): Promise<void> {
  const sums = new Map<string, Sum>()
  for (const { format, path, truth } of listSamples(data)) {
    const started = performance.now()
    const text = readings ? readOther(join(readings, `${basename(path)}.md`)) : await readOurs(path, format)
    const seconds = (performance.now() - started) / 1000
    const score = scoreReading(truth, text)
    const sum = sums.get(format)
    sums.set(format, {
      files: (sum?.files ?? 0) + 1,
      seconds: (sum?.seconds ?? 0) + seconds,
      score: sum ? add(sum.score, score) : score,
    })
    if (process.env.VERBOSE) console.log(basename(path), score.missing.slice(0, 5))
  }
  for (const [format, { files, seconds, score }] of [...sums].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const share = (found: number, all: number): string =>
      all ? `${((100 * found) / all).toFixed(1)} % of ${all}` : '–'
    const cells = share(score.cells_found, score.cells)
    console.log(
      `${format.padEnd(9)} ${String(files).padStart(3)} files  strings ${share(score.strings_found, score.strings)}  cells ${cells}  ${seconds.toFixed(1)} s`,
    )
  }
  if (readings) return
  const cjk = globSync(join(data, 'pdf-cjk/*.pdf'))
  for (const path of cjk) {
    const { pieces, report } = await readDocument({ source: { path }, name: path })
    const chars = pieces.reduce((sum, { text }) => sum + text.length, 0)
    console.log(
      `${basename(path)}: ${chars} characters, garble ${report.garble.toFixed(2)}, pages without text ${report.blank.join(', ') || 'none'}`,
    )
  }
}

/** OCR reads scans. */
async function readOurs(path: string, format: string): Promise<string> {
  const options = { source: { path }, name: basename(path) }
  try {
    const { pieces } = format === 'ocr' ? await rereadPages(options, [1]) : await readDocument(options)
    return pieces.map(({ text }) => text).join('\n\n')
  } catch (error) {
    console.log(`${basename(path)}: ${String(error)}`)
    return ''
  }
}

const readOther = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

const add = (one: Score, other: Score): Score => ({
  strings: one.strings + other.strings,
  strings_found: one.strings_found + other.strings_found,
  cells: one.cells + other.cells,
  cells_found: one.cells_found + other.cells_found,
  missing: [],
})
