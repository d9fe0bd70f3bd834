import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import { AppError } from '#server/core/app-error.ts'
import { detectFormat, identifyZip, openInput } from '#server/readers/readers.ts'
import { openArchive } from './zip.ts'
import type { Opened } from './draft.ts'

/** A job of the readers' process: extracts a document's texts, or with `rebuild` puts translations into it. */
export type DocumentJob = {
  name: string
  rebuild?: { translations: Map<number, string>; mode: TranslationMode }
}

type Open = (bytes: Buffer, name: string, format: string) => Opened | Promise<Opened>

/** A format's code is loaded when it is needed. */
const FORMATS: Record<string, () => Promise<Open>> = {
  docx: async () => (await import('./office/docx.ts')).openDocx,
  pptx: async () => (await import('./office/pptx.ts')).openPptx,
  xlsx: async () => (await import('./office/xlsx.ts')).openXlsx,
  epub: async () => (await import('./epub.ts')).openEpub,
  html: async () => (await import('./html.ts')).openHtml,
  md: async () => (await import('./markdown.ts')).openMarkdown,
  txt: async () => (await import('./plain.ts')).openTxt,
  srt: async () => (await import('./plain.ts')).openSubtitles,
  vtt: async () => (await import('./plain.ts')).openSubtitles,
  csv: async () => (await import('./data.ts')).openCsv,
  json: async () => (await import('./data.ts')).openJson,
  pdf: async () => (await import('./pdf/pdf.ts')).openPdf,
}

export async function run(
  bytes: Buffer,
  { name, rebuild }: DocumentJob,
): Promise<Extraction | RebuiltDocument> {
  const document = await openDocument(bytes, name)
  const { format, draft } = document
  if (!rebuild) {
    if (draft.units.length === 0) throw new AppError('document_empty')
    return { format, segments: draft.segments, kept: draft.kept }
  }
  if ('write' in document) {
    const { changed, problems } = draft.translate(rebuild.translations, rebuild.mode)
    return { bytes: document.write(changed), name, problems }
  }
  const { changed, problems } = draft.translate(rebuild.translations, 'translated')
  const published = await document.publish(changed, rebuild.mode, name)
  return { ...published, problems: [...problems, ...published.problems] }
}

/** Throws `document_unsupported` for formats that are read but cannot be written. */
async function openDocument(bytes: Buffer, name: string): Promise<Opened> {
  const detectedFormat = detectFormat(openInput({ bytes }), name)
  const format = detectedFormat === 'zip' ? identifyZip(openArchive(bytes)) : detectedFormat
  const load = FORMATS[format]
  if (!load) throw new AppError('document_unsupported')
  const open = await load()
  return await open(bytes, name, format)
}
