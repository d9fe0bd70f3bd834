import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import { AppError } from '#server/core/app-error.ts'
import { detectFormat } from './detect-format.ts'
import { identifyZip } from './read.ts'
import { openInput } from './reading/input.ts'
import { openArchive } from './rewriting/zip.ts'
import type { Opened } from './rewriting/draft.ts'

/** `rebuild` holds the translations to put into the document; without it the document's texts are extracted. */
export type Rewriting = {
  name: string
  rebuild?: { translations: Map<number, string>; mode: TranslationMode }
}

type Open = (bytes: Buffer, name: string, format: string) => Opened | Promise<Opened>

/** A format's code is loaded when it is needed. */
const FORMATS: Record<string, () => Promise<Open>> = {
  docx: async () => (await import('./docx/rewrite.ts')).openDocx,
  pptx: async () => (await import('./pptx/rewrite.ts')).openPptx,
  xlsx: async () => (await import('./xlsx/rewrite.ts')).openXlsx,
  epub: async () => (await import('./epub/rewrite.ts')).openEpub,
  html: async () => (await import('./html/rewrite.ts')).openHtml,
  md: async () => (await import('./markdown/rewrite.ts')).openMarkdown,
  txt: async () => (await import('./plain/rewrite.ts')).openTxt,
  srt: async () => (await import('./plain/rewrite.ts')).openSubtitles,
  vtt: async () => (await import('./plain/rewrite.ts')).openSubtitles,
  csv: async () => (await import('./csv/rewrite.ts')).openCsv,
  json: async () => (await import('./csv/rewrite.ts')).openJson,
  pdf: async () => (await import('./pdf/rewrite.ts')).openPdf,
}

/** Extracts the texts of a document or rebuilds it. Throws `document_empty`, or `document_unsupported` for what cannot be written. */
export async function rewriteDocument(
  bytes: Buffer,
  { name, rebuild }: Rewriting,
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
