import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { AppError } from '#server/core/app-error.ts'
import { detectFormat } from './detect-format.ts'
import { identifyZip } from './read.ts'
import { openInput } from './reading/input.ts'
import { openArchive } from './rewriting/zip.ts'
import type { Opened } from './rewriting/draft.ts'

/** `rebuild` holds the translations to put into the document; without it the document's texts are extracted. */
export type Rewriting = {
  name: string
  /** The language of the translations, for formats that name it or depend on it. */
  target_lang?: TargetLanguage | undefined
  rebuild?: { translations: Map<number, string>; mode: TranslationMode }
}

type Open = (
  bytes: Buffer,
  name: string,
  format: string,
  targetLang: TargetLanguage | undefined,
) => Opened | Promise<Opened>

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
  po: async () => (await import('./gettext/rewrite.ts')).openPo,
  ass: async () => (await import('./subtitles/rewrite.ts')).openAss,
  xliff: async () => (await import('./xliff/rewrite.ts')).openXliff,
  strings: async () => (await import('./strings/rewrite.ts')).openStrings,
  stringsdict: async () => (await import('./strings/rewrite.ts')).openStringsdict,
  arb: async () => (await import('./arb/rewrite.ts')).openArb,
  pdf: async () => (await import('./pdf/rewrite.ts')).openPdf,
}

/** Extracts the texts of a document or rebuilds it. Throws `document_empty`, or `document_unsupported` for what cannot be written. */
export async function rewriteDocument(
  bytes: Buffer,
  { name, target_lang, rebuild }: Rewriting,
): Promise<Extraction | RebuiltDocument> {
  const document = await openDocument(bytes, name, target_lang)
  const { format, draft } = document
  if (!rebuild) {
    if (draft.units.length === 0) throw new AppError('document_empty')
    return { format, segments: draft.segments, kept: draft.kept }
  }
  if ('write' in document) {
    const { changed, problems } = draft.translate(rebuild.translations, rebuild.mode)
    return { bytes: document.write(changed), name: document.name ?? name, problems }
  }
  const { changed, problems } = draft.translate(rebuild.translations, 'translated')
  const published = await document.publish(changed, rebuild.mode, name)
  return { ...published, problems: [...problems, ...published.problems] }
}

/** Throws `document_unsupported` for formats that are read but cannot be written. */
async function openDocument(
  bytes: Buffer,
  name: string,
  targetLang: TargetLanguage | undefined,
): Promise<Opened> {
  const detectedFormat = detectFormat(openInput({ bytes }), name)
  const format = detectedFormat === 'zip' ? identifyZip(openArchive(bytes)) : detectedFormat
  const load = FORMATS[format]
  if (!load) throw new AppError('document_unsupported')
  const open = await load()
  return await open(bytes, name, format, targetLang)
}
