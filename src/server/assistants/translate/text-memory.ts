import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { PrefilledAnswer } from '#server/conversations/conversations.ts'
import type { Db } from '#server/core/database/database.ts'
import { checkTranslation, hasLetters } from './engine/checks.ts'
import type { Term } from './engine/request.ts'
import { escapeTags, unescapeTags } from '#server/formats/formats.ts'
import { hashOwnText, hashText, recallTexts, selectTerms } from './memory.ts'
import type { MemorySettings } from './memory.ts'
import * as store from './store.ts'
import type { MemoryRow } from './store.ts'

/** Paragraphs that are checked before other work has its turn. */
const PARAGRAPHS_AT_A_TIME = 50

/** Lists the lines of a text that are not blank, escaped as in a document. */
const listParagraphs = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() ? [escapeTags(line.trim())] : []))

/**
 * Returns the known translations of a text's first and last paragraphs; `question` is the text between them, from the first
 * unknown paragraph to the last one. Null where no paragraph is known.
 */
export async function recallText(
  db: Db,
  settings: MemorySettings,
  terms: readonly Term[],
  text: string,
): Promise<PrefilledAnswer | null> {
  const lines = text.split('\n').map((line) => ({ line, text: escapeTags(line.trim()) }))
  const linesToTranslate = lines.filter((one) => hasLetters(one.text))
  const translations = await recallTexts(db, settings, selectTerms(terms, text), linesToTranslate)
  if (!translations.size) return null
  const isAsked = lines.map((one) => hasLetters(one.text) && !translations.has(one))
  const [first, last] = [isAsked.indexOf(true), isAsked.lastIndexOf(true)]
  const join = (some: typeof lines): string =>
    some
      .map((one) => {
        const translation = translations.get(one)
        const { line } = one
        return translation === undefined ? line : line.replace(line.trim(), () => unescapeTags(translation))
      })
      .join('\n')
  if (first < 0) return { start: join(lines), question: null, end: '' }
  const [before, after] = [lines.slice(0, first), lines.slice(last + 1)]
  const askedLines = lines.slice(first, last + 1)
  return {
    start: before.length ? `${join(before)}\n` : '',
    question: askedLines.map(({ line }) => line).join('\n'),
    end: after.length ? `\n${join(after)}` : '',
  }
}

/** Remembers the paragraphs of a translation that have no problem; none where source and translation differ in their number. */
export async function rememberText(
  tx: Db,
  { user_id, ...settings }: MemorySettings,
  terms: readonly Term[],
  { source, result }: { source: string; result: string },
): Promise<void> {
  const [from, to] = [listParagraphs(source), listParagraphs(result)]
  if (from.length !== to.length) return
  const sourceTerms = selectTerms(terms, source)
  const rows: MemoryRow[] = []
  for (const [n, text] of from.entries()) {
    const translation = to[n]!
    const usedTerms = selectTerms(sourceTerms, text)
    const { target_lang } = settings
    if (hasLetters(text) && !checkTranslation(text, translation, { target_lang, terms: usedTerms }).length)
      rows.push({ user_id, hash: hashText(settings, usedTerms, text), translation })
    if (n % PARAGRAPHS_AT_A_TIME === 0) await yieldToOthers()
  }
  await store.saveMemory(tx, rows)
}

/** Remembers the paragraphs that a person has changed, for every model. */
export async function rememberOwnText(
  tx: Db,
  { user_id, ...settings }: Omit<MemorySettings, 'model'>,
  { source, before, after }: { source: string; before: string; after: string },
): Promise<void> {
  const [from, to] = [listParagraphs(source), listParagraphs(after)]
  if (from.length !== to.length) return
  const unchanged = new Set(listParagraphs(before))
  const terms = selectTerms(await store.listTerms(tx, user_id, settings.target_lang), source)
  const rows = from.flatMap((text, n) => {
    const translation = to[n]!
    if (unchanged.has(translation)) return []
    return [{ user_id, hash: hashOwnText(settings, selectTerms(terms, text), text), translation }]
  })
  await store.saveMemory(tx, rows)
}
