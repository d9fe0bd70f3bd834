import { AppError } from '#server/core/app-error.ts'
import { openCompoundFile } from './containers/cfb.ts'
import type { Storage } from './containers/cfb.ts'
import { openZip } from './containers/zip.ts'
import type { Zip } from './containers/zip.ts'
import { detectFormat } from './detect-format.ts'
import type { Document } from './detect-format.ts'
import { readAll } from './reading/input.ts'
import { LimitReached } from './reading/output.ts'
import type { Output } from './reading/output.ts'

/**
 * Reads a document of one format into `output`, unit by unit, each piece with its place:
 *
 * ```ts
 * export async function readNotes({ input }: Document, output: Output): Promise<void> {
 *   const { text } = decodeText(readAll(input, output.limits.whole_bytes))
 *   output.begin('section', 1)
 *   for (const [index, line] of text.split('\n').entries()) output.add(line, { line: index + 1 })
 *   output.endUnit()
 * }
 * ```
 */
type Reader = (document: Document, output: Output) => Promise<void>

/** A format's code is loaded when the first file of it is read. */
const READERS: Record<string, () => Promise<Reader>> = {
  txt: async () => (await import('./plain/read.ts')).readPlain,
  code: async () => (await import('./plain/read.ts')).readCode,
  json: async () => (await import('./plain/read.ts')).readJson,
  md: async () => (await import('./plain/read.ts')).readMarkdown,
  csv: async () => (await import('./csv/read.ts')).readCsv,
  html: async () => (await import('./html/read.ts')).readHtml,
  srt: async () => (await import('./subtitles/read.ts')).readSubtitles,
  vtt: async () => (await import('./subtitles/read.ts')).readSubtitles,
  ass: async () => (await import('./subtitles/read.ts')).readAss,
  po: async () => (await import('./gettext/read.ts')).readPo,
  xliff: async () => (await import('./xliff/read.ts')).readXliff,
  strings: async () => (await import('./strings/read.ts')).readStrings,
  stringsdict: async () => (await import('./plain/read.ts')).readCode,
  arb: async () => (await import('./plain/read.ts')).readJson,
  ipynb: async () => (await import('./notebook/read.ts')).readNotebook,
  rtf: async () => (await import('./rtf/read.ts')).readRtf,
  pdf: async () => (await import('./pdf/read.ts')).readPdf,
  image: async () => (await import('./image/read.ts')).readImage,
  eml: async () => {
    const { readEml } = await import('./mail/read.ts')
    return (document, output) => readEml(document, output, readInto)
  },
}

/**
 * Reads a document of any format into `output`, and returns the format. Beyond the limits of text and units it ends with
 * what it has. Throws an `AppError` with a `document_…` code.
 */
export async function readInto(output: Output, document: Document, type?: string): Promise<string> {
  const format = detectFormat(document.input, document.name, type)
  try {
    if (format === 'zip') return await readZip(document, output)
    if (format === 'cfb') return await readCompound(document, output)
    const load = READERS[format]
    if (!load) throw new AppError(format === 'recording' ? 'document_recording' : 'document_unsupported')
    await (
      await load()
    )(document, output)
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return format
}

/** Reads pages again, from their pictures. Throws `document_unsupported` where a format has no pages to be drawn. */
export async function rereadInto(output: Output, document: Document, pages: number[]): Promise<string> {
  const format = detectFormat(document.input, document.name)
  if (format !== 'pdf') throw new AppError('document_unsupported')
  try {
    await (await import('./pdf/reread.ts')).rereadPdf(pages, document, output)
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return format
}

async function readZip(document: Document, output: Output): Promise<string> {
  const zip = openZip(document.input, output)
  const format = identifyZip(zip)
  if (format === 'docx') await (await import('./docx/read.ts')).readDocx(zip, output)
  else if (format === 'xlsx') await (await import('./xlsx/read.ts')).readXlsx(zip, output)
  else if (format === 'pptx') await (await import('./pptx/read.ts')).readPptx(zip, output)
  else if (format === 'epub') await (await import('./epub/read.ts')).readEpub(zip, output)
  else if (format === 'zip')
    await (await import('./archive/read.ts')).readArchive(zip, output, document, readInto)
  else await (await import('./odf/read.ts')).readOdf(zip, output)
  return format
}

/** Returns the format of an archive by what is in it. */
export function identifyZip(zip: Zip): string {
  const mimetype = zip.find('mimetype')
  const type = mimetype && mimetype.size < 200 ? zip.read(mimetype).toString().trim() : ''
  if (type === 'application/epub+zip' || zip.find('META-INF/container.xml')) return 'epub'
  const [, kind] = /opendocument\.(text|spreadsheet|presentation|graphics)/.exec(type) ?? []
  if (kind) return { text: 'odt', spreadsheet: 'ods' }[kind] ?? 'odp'
  const has = (folder: string): boolean => zip.entries.some(({ name }) => name.startsWith(folder))
  if (zip.find('[Content_Types].xml')) {
    if (has('word/')) return 'docx'
    if (has('xl/')) return 'xlsx'
    if (has('ppt/')) return 'pptx'
  }
  return 'zip'
}

async function readCompound(document: Document, output: Output): Promise<string> {
  const storage = openCompoundFile(readAll(document.input, output.limits.whole_bytes))
  const format = identifyCompound(storage)
  if (format === 'doc') await (await import('./old-office/doc.ts')).readDoc(storage, output)
  else if (format === 'xls') await (await import('./old-office/xls.ts')).readXls(storage, output)
  else if (format === 'ppt') await (await import('./old-office/ppt.ts')).readPpt(storage, output)
  else await (await import('./old-office/msg.ts')).readMsg(storage, document, output, readInto)
  return format
}

function identifyCompound({ streams }: Storage): string {
  // Today's Office puts files with a password into the old container.
  if (streams.has('EncryptedPackage')) throw new AppError('document_encrypted')
  if (streams.has('WordDocument')) return 'doc'
  if (streams.has('Workbook') || streams.has('Book')) return 'xls'
  if (streams.has('PowerPoint Document')) return 'ppt'
  if (streams.has('__properties_version1.0')) return 'msg'
  throw new AppError('document_unsupported')
}
