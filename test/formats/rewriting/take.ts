import type { Extraction, KeptPart, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { executeJob } from '#server/formats/process/job.ts'
import { DEFAULT_LIMITS } from '#server/formats/process/limits.ts'
import { openInput } from '#server/formats/reading/input.ts'
import { openZip } from '#server/formats/containers/zip.ts'
import { rewriteDocument } from '#server/formats/rewrite.ts'

/** Extracts the texts of a document in this process: limits and the other process have tests of their own. */
export async function take(
  content: string | Uint8Array,
  name: string,
  targetLang?: TargetLanguage,
): Promise<Extraction> {
  const source = { bytes: Buffer.from(content as string) }
  const job = { source, limits: DEFAULT_LIMITS, rewriting: { name, target_lang: targetLang } }
  const recognise = (): Promise<string> =>
    Promise.reject(new Error('nothing that is translated is recognised'))
  return (await executeJob(job, { onProgress: () => {}, recognise })) as Extraction
}

export const textsOf = ({ segments }: Extraction): string[] => segments.map(({ text }) => text)
export const reasonsOf = ({ kept }: { kept: KeptPart[] }): string[] => kept.map(({ reason }) => reason)

type Change = ((text: string) => string) | Record<string, string>

/** Puts other texts into a document: by a map from the old ones, or by a function of each. */
export async function put(
  content: string | Uint8Array,
  name: string,
  change: Change,
  mode: TranslationMode = 'translated',
  targetLang?: TargetLanguage,
): Promise<RebuiltDocument & { text: string }> {
  const bytes = Buffer.from(content as string)
  const { segments } = await take(bytes, name, targetLang)
  const translations = new Map<number, string>()
  for (const { n, text } of segments) {
    const translation = typeof change === 'function' ? change(text) : change[text]
    if (translation !== undefined) translations.set(n, translation)
  }
  const rewriting = { name, target_lang: targetLang, rebuild: { translations, mode } }
  const result = (await rewriteDocument(bytes, rewriting)) as RebuiltDocument
  return { ...result, text: Buffer.from(result.bytes).toString() }
}

/** Returns a file of an archive. */
export function unzip(bytes: Uint8Array, path: string): string {
  const limits = { limits: DEFAULT_LIMITS, countInflated: () => {}, skip: () => {} }
  const zip = openZip(openInput({ bytes }), limits)
  const entry = zip.find(path)
  if (!entry) throw new Error(`${path} is not in ${zip.entries.map(({ name }) => name).join(', ')}`)
  return zip.read(entry).toString()
}

export const mark = (text: string): string => `⟦${text}⟧`
