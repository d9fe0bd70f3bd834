import type { PutTogether, TakenApart, TranslationMode } from '#contract/translate/documents.ts'
import { runDocumentJob } from '#server/readers/readers.ts'
import type { DocumentSource } from '#server/readers/readers.ts'
import type { DocumentJob } from './job.ts'

const JOB = new URL('./job.ts', import.meta.url)

/**
 * Takes a document apart into its texts, in its order, and the parts that are not translated, in a process of its own. The same
 * bytes and name always give the same numbers. Throws an `AppError` with a `document_…` code, or the signal's reason.
 */
export function takeApart(source: DocumentSource, name: string, signal?: AbortSignal): Promise<TakenApart> {
  return runDocumentJob({ module: JOB, source, input: { name } satisfies DocumentJob, signal })
}

/**
 * Puts translations into a document, by the numbers of its segments; a segment without one, or with the same text, keeps every
 * byte. Throws as `takeApart` does.
 */
export function putTogether(
  source: DocumentSource,
  name: string,
  translations: Map<number, string>,
  mode: TranslationMode,
  signal?: AbortSignal,
): Promise<PutTogether> {
  const input: DocumentJob = { name, put: { translations, mode } }
  return runDocumentJob({ module: JOB, source, input, signal })
}
