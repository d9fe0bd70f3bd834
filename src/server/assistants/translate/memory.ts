import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Placeholders } from '#contract/translate/documents.ts'
import type { Db } from '#server/core/database/database.ts'
import { hasPlaceholders } from '#server/formats/formats.ts'
import { includesTerm } from './engine/checks.ts'
import type { Term } from './engine/request.ts'
import * as store from './store.ts'
import type { Settings } from './store.ts'

/** Texts whose terms are looked up before other work has its turn. */
const TEXTS_AT_A_TIME = 50

/** Returns the terms that occur in a text. */
export function selectTerms(terms: readonly Term[], text: string): Term[] {
  const lower = text.toLowerCase()
  // Few of many terms occur: only those need the exact comparison.
  return terms.filter(({ term }) => lower.includes(term.toLowerCase()) && includesTerm(text, term))
}

/** All that a text's translation depends on beside the text; a person's own translation is the same for every model. */
export type MemorySettings = Settings & { user_id: string }
const OWN = ''

/**
 * Returns the key of a remembered translation: a hash of its text and all that it depends on, so that a changed term affects the
 * texts that have it and no others. `usedTerms`: the terms that the text has.
 */
export const hashText = (
  { model, target_lang, tone }: Settings,
  usedTerms: readonly Term[],
  text: string,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([model, target_lang, tone, usedTerms.map((one) => [one.term, one.translation]), text]),
    )
    .digest('base64url')

/** Returns the key of a translation in the person's own words. */
export const hashOwnText = (
  settings: Omit<Settings, 'model'>,
  usedTerms: readonly Term[],
  text: string,
): string => hashText({ ...settings, model: OWN }, usedTerms, text)

/**
 * Finds the known translations of some texts: the person's own, else those of the model. One with other placeholders than its text is
 * no translation of it.
 */
export async function recallTexts<Text extends { text: string; placeholders?: Placeholders | null }>(
  db: Db,
  { user_id, ...settings }: MemorySettings,
  terms: readonly Term[],
  texts: readonly Text[],
): Promise<Map<Text, string>> {
  const hashes = new Map<Text, [ownHash: string, modelHash: string]>()
  for (const each of texts) {
    const usedTerms = selectTerms(terms, each.text)
    hashes.set(each, [hashOwnText(settings, usedTerms, each.text), hashText(settings, usedTerms, each.text)])
    if (hashes.size % TEXTS_AT_A_TIME === 0) await yieldToOthers()
  }
  const translationsByHash = await store.findMemory(db, user_id, [...new Set([...hashes.values()].flat())])
  const translations = new Map<Text, string>()
  for (const [each, [ownHash, modelHash]] of hashes) {
    const translation = [ownHash, modelHash]
      .flatMap((hash) => translationsByHash.get(hash) ?? [])
      .find((known) => hasPlaceholders(each.text, each.placeholders, known))
    if (translation !== undefined) translations.set(each, translation)
  }
  return translations
}
