import { AppError } from '#server/core/app-error.ts'
import { detectFormat } from './formats.ts'
import type { Document } from './formats.ts'
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
  pdf: async () => (await import('./formats/pdf/pdf.ts')).readPdf,
  ipynb: async () => (await import('./formats/notebook.ts')).readNotebook,
}

/**
 * Reads a document of any format into `output`, and returns the format. Beyond the limits of text and units it ends with
 * what it has. Throws an `AppError` with a `document_…` code.
 */
export async function readInto(output: Output, document: Document, type?: string): Promise<string> {
  const format = detectFormat(document.input, document.name, type)
  const load = READERS[format]
  if (!load) throw new AppError(format === 'recording' ? 'document_recording' : 'document_unsupported')
  try {
    await (
      await load()
    )(document, output)
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
  }
  return format
}
