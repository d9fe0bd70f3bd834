import { createHash } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Db } from '#server/core/database/database.ts'
import { includesTerm } from './engine/checks.ts'
import type { Term } from './engine/request.ts'
import * as store from './store.ts'
import type { Settings } from './store.ts'

/** Texts whose terms are looked for before others have their turn. */
const TEXTS_AT_A_TIME = 50

/** The terms that a text has. */
export function selectTerms(terms: readonly Term[], text: string): Term[] {
  const lower = text.toLowerCase()
  // Of many terms few are there: the exact look is for those.
  return terms.filter(({ term }) => lower.includes(term.toLowerCase()) && includesTerm(text, term))
}

/**
 * What a translation is remembered by: its text and all that it depends on, so that another term translates anew the texts
 * that have it and no others.
 */
export function hashText(
  { model, target_lang, tone }: Settings,
  terms: readonly Term[],
  text: string,
): string {
  const used = selectTerms(terms, text).map(({ term, translation }) => [term, translation])
  return createHash('sha256')
    .update(JSON.stringify([model, target_lang, tone, used, text]))
    .digest('base64url')
}

/** Those of some texts that are known, with their translations. */
export async function recallTexts<Text extends { text: string }>(
  db: Db,
  { user_id, ...settings }: Settings & { user_id: string },
  terms: readonly Term[],
  texts: readonly Text[],
): Promise<Map<Text, string>> {
  const hashes = new Map<Text, string>()
  for (const each of texts) {
    hashes.set(each, hashText(settings, terms, each.text))
    if (hashes.size % TEXTS_AT_A_TIME === 0) await yieldToOthers()
  }
  const known = await store.findMemory(db, user_id, [...new Set(hashes.values())])
  const found = new Map<Text, string>()
  for (const [each, hash] of hashes) {
    const translation = known.get(hash)
    if (translation !== undefined) found.set(each, translation)
  }
  return found
}
