import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import { AppError } from '#server/core/app-error.ts'
import { detectFormat } from '#server/formats/detect-format.ts'
import { openInput } from '#server/formats/reading/input.ts'
import { openPages } from '#server/formats/pdf/pages.ts'
import { openZip } from '#server/formats/containers/zip.ts'
import { DEFAULT_LIMITS } from '#server/formats/process/limits.ts'
import { decodeHtml } from '#server/formats/html/rewrite.ts'
import { rewriteDocument } from '#server/formats/rewrite.ts'
import { stripTags } from '#server/formats/rewriting/tags.ts'

/** The results of a file's trip: its marked versions, or their faults. */
type Trip = {
  format: string
  segments: number
  preserved: number
  failures: string[]
  results: RebuiltDocument[]
  kept: number
}

/** Puts the marks within the tags at its ends, so that no tag moves. */
const mark = (text: string): string =>
  text.replace(/^((?:<\/?\d+\/?>|\s)*)(.*?)((?:<\/?\d+\/?>|\s)*)$/s, '$1〖$2〗$3')
const unmark = (text: string): string => text.replace(/[〖〗]/g, '')
/** Evens out white space and character escapes, which may change where a text changes. */
const normalize = (text: string): string => decodeHtml(unmark(text)).replace(/\s+/g, ' ')

/** Extracts the texts of a document, rebuilds it with unchanged texts, then with each text marked, and extracts those. */
async function makeTrip(bytes: Buffer, name: string): Promise<Trip> {
  const { format, segments, kept } = (await rewriteDocument(bytes, { name })) as Extraction
  const put = async (change: (text: string) => string, mode: TranslationMode): Promise<RebuiltDocument> => {
    const translations = new Map(segments.map(({ n, text }) => [n, change(text)]))
    return (await rewriteDocument(bytes, { name, rebuild: { translations, mode } })) as RebuiltDocument
  }
  const [translated, bilingual] = [await put(mark, 'translated'), await put(mark, 'bilingual')]
  // The pages of a PDF are searched for characters that its fonts lack.
  const problems = [...translated.problems, ...bilingual.problems].filter(({ what }) => what !== 'glyphs')
  const failures = problems.map(({ n, what }) => `${n}: ${what}`)
  const results = [translated, bilingual]
  const trip = { format, segments: segments.length, failures, results, kept: kept.length }
  if (format === 'pdf') return { ...trip, preserved: await checkPdf(bytes, segments, results, failures) }
  const same = await put((text) => text, 'translated')
  if (!Buffer.from(same.bytes).equals(bytes)) failures.push('the same texts change the file')
  const again = (await rewriteDocument(Buffer.from(translated.bytes), {
    name: translated.name,
  })) as Extraction
  const found = new Map<string, number>()
  const whole = Buffer.from(translated.bytes).toString().replace(/\s+/g, ' ')
  // In a paragraph with many formats, one more mark may give another format to a run of its own.
  for (const { text } of again.segments) found.set(stripTags(text), (found.get(stripTags(text)) ?? 0) + 1)
  let preserved = 0
  for (const { n, text } of segments) {
    const wanted = stripTags(mark(text))
    const left = found.get(wanted) ?? 0
    found.set(wanted, left - 1)
    // Broken lines may break elsewhere, and are then extracted otherwise.
    if (left > 0 || whole.includes(mark(text).replace(/\s+/g, ' '))) preserved++
    else failures.push(`${n}: ${text.slice(0, 80)}`)
  }
  for (const { text } of again.segments)
    if (!/[〖〗]/.test(text)) failures.push(`not marked: ${text.slice(0, 80)}`)
  failures.push(...compare(bytes, Buffer.from(translated.bytes), name))
  return { ...trip, preserved }
}

/** Counts the texts that are in both results of a PDF. In the result that is a PDF, the original's pages must be unchanged. */
async function checkPdf(
  bytes: Buffer,
  segments: Extraction['segments'],
  [html, pdf]: RebuiltDocument[],
  failures: string[],
): Promise<number> {
  const pages = await readPages(pdf!.bytes)
  const squeeze = (text: string): string => normalize(text).replaceAll(' ', '')
  const [shown, written] = [squeeze(Buffer.from(html!.bytes).toString()), squeeze(pages.join(''))]
  for (const [index, page] of (await readPages(bytes)).entries())
    if (!pages.includes(page)) failures.push(`page ${index + 1} is another`)
  const lost = segments.filter(
    ({ text }) => !shown.includes(squeeze(text)) || !written.includes(squeeze(text)),
  )
  for (const { n, text } of lost) failures.push(`${n}: ${text.slice(0, 80)}`)
  return segments.length - lost.length
}

async function readPages(bytes: Uint8Array): Promise<string[]> {
  const pdf = await openPages(openInput({ bytes }))
  const pages: string[] = []
  for (let number = 1; number <= pdf.count; number++) {
    const { blocks } = await pdf.read(number)
    pages.push(blocks.flatMap((block) => ('cells' in block ? block.cells.flat() : [block.text])).join('\n'))
  }
  await pdf.close()
  return pages
}

/** Lists differences beyond the marks: names and order of an archive's files, and tags and text of changed files. */
function compare(before: Buffer, after: Buffer, name: string): string[] {
  if (detectFormat(openInput({ bytes: before }), name) !== 'zip') {
    const [own, their] = [normalize(before.toString()), normalize(after.toString())]
    return own === their ? [] : [findDifference(own, their)]
  }
  const [a, b] = [before, after].map((bytes) => {
    const zip = openZip(openInput({ bytes }), { limits: DEFAULT_LIMITS, countInflated() {}, skip() {} })
    return { zip, names: zip.entries.map((entry) => entry.name) }
  })
  if (!a || !b || a.names.join('\n') !== b.names.join('\n')) return ['the files of the archive differ']
  return a.zip.entries.flatMap((entry, index) => {
    const other = b.zip.entries[index]
    const [own, their] = [a.zip.read(entry).toString(), other ? b.zip.read(other).toString() : '']
    if (own === their) return []
    // Texts of merged runs stand in the first of them: tags and text are compared apart.
    const text = (xml: string): string => normalize(xml.replace(/<[^>]*>/g, ''))
    const tags = (xml: string): string => unmark((xml.match(/<[^>]*>/g) ?? []).map(normalizeTag).join(''))
    return [
      ...(text(own) === text(their) ? [] : [`${entry.name}: text beyond the marks differs`]),
      ...(tags(own) === tags(their) ? [] : [`${entry.name}: ${findDifference(tags(own), tags(their))}`]),
    ]
  })
}

/** A text with white space at its ends needs an attribute; an empty element may have become one with a text. */
const normalizeTag = (tag: string): string => decodeHtml(tag).replace(' xml:space="preserve"', '')

function findDifference(a: string, b: string): string {
  let at = 0
  while (a[at] === b[at] && at < a.length) at++
  return `what is no text differs: ${a.slice(Math.max(0, at - 40), at + 60)} | ${b.slice(Math.max(0, at - 40), at + 60)}`
}

/** Formats that LibreOffice reads. */
const OPENED = /\.(docx|pptx|xls[xm]|html?|txt|csv|pdf)$/

/** Makes round trips of the documents below `data`; converts each result to PDF where LibreOffice is installed. */
export async function runRoundTrip(data: string): Promise<void> {
  const hasOffice = findOffice()
  if (!hasOffice) console.log('LibreOffice (soffice) is not installed: nothing is converted')
  const rows = new Map<
    string,
    Record<'files' | 'segments' | 'preserved' | 'failed' | 'kept' | 'results' | 'converted', number>
  >()
  const folder = mkdtempSync(join(tmpdir(), 'round-trip-'))
  const made: { path: string; row: { converted: number } }[] = []
  for (const path of globSync(join(data, 'documents/**/*')).toSorted()) {
    if (/groundtruth|\/LICENSE/.test(path) || !/\.\w+$/.test(path)) continue
    const bytes = readFileSync(path)
    let trip: Trip
    try {
      trip = await makeTrip(bytes, basename(path))
    } catch (error) {
      const code = error instanceof AppError ? error.code : String(error)
      if (code === 'document_unsupported') continue
      console.log(`${basename(path)}: ${code}`)
      if (code !== 'document_empty') process.exitCode = 1
      continue
    }
    const row = rows.get(trip.format) ?? {
      files: 0,
      segments: 0,
      preserved: 0,
      failed: 0,
      kept: 0,
      results: 0,
      converted: 0,
    }
    rows.set(trip.format, row)
    row.files++
    row.segments += trip.segments
    row.preserved += trip.preserved
    row.kept += trip.kept
    for (const [index, result] of trip.results.entries()) {
      const file = join(folder, `${made.length}-${index}-${result.name}`)
      writeFileSync(file, result.bytes)
      if (!OPENED.test(result.name)) continue
      row.results++
      made.push({ path: file, row })
    }
    if (trip.failures.length) {
      row.failed++
      process.exitCode = 1
      console.log(`${basename(path)}\n  ${trip.failures.slice(0, 5).join('\n  ')}`)
    }
  }
  if (hasOffice) convert(folder, made)
  rmSync(folder, { recursive: true })
  console.table(Object.fromEntries(rows))
}

function findOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

/** Converts many at once: a start of LibreOffice takes longer than a file. A file that ends it must not end all. */
function convert(folder: string, made: { path: string; row: { converted: number } }[]): void {
  const out = join(folder, 'pdf')
  const isDone = ({ path }: { path: string }): boolean =>
    existsSync(join(out, basename(path).replace(/\.\w+$/, '.pdf')))
  const start = (files: { path: string }[]): void => {
    const args = ['--headless', '--convert-to', 'pdf', '--outdir', out, ...files.map(({ path }) => path)]
    try {
      execFileSync('soffice', args, { stdio: 'ignore', timeout: 10_000 * files.length + 60_000 })
    } catch {
      // The caller names the files that were not converted.
    }
  }
  for (let at = 0; at < made.length; at += 50) start(made.slice(at, at + 50))
  for (const each of made.filter((file) => !isDone(file))) start([each])
  for (const each of made) {
    if (isDone(each)) each.row.converted++
    else {
      console.log(`${basename(each.path)}: not converted`)
      process.exitCode = 1
    }
  }
}
