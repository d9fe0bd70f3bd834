import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import { runDocumentJob } from '#server/readers/readers.ts'
import type { DocumentSource } from '#server/readers/readers.ts'
import type { DocumentJob } from './job.ts'

const JOB = new URL('./job.ts', import.meta.url)

/**
 * Extracts the texts of a document, in its order, and the parts that are not translated, in a process of its own. The same bytes
 * and name always give the same numbers. Throws an `AppError` with a `document_…` code, or the signal's reason.
 */
export function extractSegments(
  source: DocumentSource,
  name: string,
  signal?: AbortSignal,
): Promise<Extraction> {
  return runDocumentJob({ module: JOB, source, input: { name } satisfies DocumentJob, signal })
}

/**
 * Puts translations into a document, by the numbers of its segments; a segment without one, or with the same text, keeps every
 * byte. Throws as `extractSegments` does.
 */
export function rebuildDocument(
  source: DocumentSource,
  name: string,
  translations: Map<number, string>,
  mode: TranslationMode,
  signal?: AbortSignal,
): Promise<RebuiltDocument> {
  const input: DocumentJob = { name, rebuild: { translations, mode } }
  return runDocumentJob({ module: JOB, source, input, signal })
}
