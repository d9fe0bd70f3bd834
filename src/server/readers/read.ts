import { AppError } from '#server/core/app-error.ts'
import { openCompoundFile } from './containers/cfb.ts'
import type { Storage } from './containers/cfb.ts'
import { openZip } from './containers/zip.ts'
import type { Zip } from './containers/zip.ts'
import { detectFormat } from './formats.ts'
import type { Document } from './formats.ts'
import { readAll } from './input.ts'
import { LimitReached } from './output.ts'
import type { Output } from './output.ts'

type Reader = (document: Document, output: Output) => Promise<void>

/** A format's code is loaded when the first file of it is read. */
const READERS: Record<string, () => Promise<Reader>> = {
  txt: async () => (await import('./formats/plain.ts')).readPlain,
  code: async () => (await import('./formats/plain.ts')).readCode,
  json: async () => (await import('./formats/plain.ts')).readJson,
  md: async () => (await import('./formats/plain.ts')).readMarkdown,
  csv: async () => (await import('./formats/csv.ts')).readCsv,
  html: async () => (await import('./formats/html.ts')).readHtml,
  srt: async () => (await import('./formats/subtitles.ts')).readSubtitles,
  vtt: async () => (await import('./formats/subtitles.ts')).readSubtitles,
  ipynb: async () => (await import('./formats/notebook.ts')).readNotebook,
  rtf: async () => (await import('./formats/rtf.ts')).readRtf,
  pdf: async () => (await import('./formats/pdf/pdf.ts')).readPdf,
  image: async () => (await import('./formats/image.ts')).readImage,
  eml: async () => {
    const { readEml } = await import('./formats/mail.ts')
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
    await (await import('./formats/pdf/reread.ts')).rereadPdf(pages, document, output)
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return format
}

async function readZip(document: Document, output: Output): Promise<string> {
  const zip = openZip(document.input, output)
  const format = identifyZip(zip)
  if (format === 'docx') await (await import('./formats/office/docx.ts')).readDocx(zip, output)
  else if (format === 'xlsx') await (await import('./formats/office/xlsx.ts')).readXlsx(zip, output)
  else if (format === 'pptx') await (await import('./formats/office/pptx.ts')).readPptx(zip, output)
  else if (format === 'epub') await (await import('./formats/epub.ts')).readEpub(zip, output)
  else if (format === 'zip')
    await (await import('./formats/archive.ts')).readArchive(zip, output, document, readInto)
  else await (await import('./formats/odf.ts')).readOdf(zip, output)
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
  if (format === 'doc') await (await import('./formats/old/doc.ts')).readDoc(storage, output)
  else if (format === 'xls') await (await import('./formats/old/xls.ts')).readXls(storage, output)
  else if (format === 'ppt') await (await import('./formats/old/ppt.ts')).readPpt(storage, output)
  else await (await import('./formats/old/msg.ts')).readMsg(storage, document, output, readInto)
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
