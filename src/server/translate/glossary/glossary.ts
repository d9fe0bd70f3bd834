import { MAX_TERM_CHARS, MAX_TERMS } from '#contract/translate/glossary.ts'
import type { GlossaryTerm } from '#contract/translate/glossary.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { findDelimiter, parseCsv } from '#server/readers/readers.ts'
import * as store from './store.ts'

type TermInput = Omit<GlossaryTerm, 'id'>
export type Glossary = ReturnType<typeof createGlossary>

/** How a person wants terms translated. */
export function createGlossary(db: Db) {
  /** Adds terms, or changes those that are there. Throws AppError glossary_full; then nothing is changed. */
  const save = (user_id: string, terms: TermInput[]) =>
    db.transaction(async (tx) => {
      await store.lockGlossary(tx, user_id)
      const saved = await store.upsertTerms(
        tx,
        user_id,
        terms.map((term) => ({ ...term, id: createId() })),
      )
      const isLarger = saved.some(({ added }) => added)
      if (isLarger && (await store.countTerms(tx, user_id)) > MAX_TERMS) throw new AppError('glossary_full')
      return saved
    })

  return {
    list: (user_id: string, target_lang?: TargetLanguage): Promise<GlossaryTerm[]> =>
      store.listGlossary(db, user_id, target_lang),

    async add(user_id: string, term: TermInput): Promise<GlossaryTerm> {
      const [saved] = await save(user_id, [term])
      return { ...term, id: saved!.id }
    },

    /** Throws AppError not_found, glossary_duplicate. */
    change: (user_id: string, id: string, term: TermInput): Promise<GlossaryTerm> =>
      db.transaction(async (tx) => {
        await store.lockGlossary(tx, user_id)
        if (await store.hasOtherTerm(tx, user_id, id, term)) throw new AppError('glossary_duplicate')
        if (!(await store.updateTerm(tx, user_id, id, term))) throw new AppError('not_found')
        return { ...term, id }
      }),

    /** Throws AppError not_found. */
    async remove(user_id: string, id: string): Promise<void> {
      if (!(await store.deleteTerm(db, user_id, id))) throw new AppError('not_found')
    },

    /** Adds the terms of a table; of one that comes twice the last line counts. Throws AppError glossary_full. */
    async import(user_id: string, target_lang: TargetLanguage, csv: string) {
      const { terms, skipped } = parseTerms(csv)
      if (terms.size > MAX_TERMS) throw new AppError('glossary_full')
      const rows = [...terms.values()].map((term) => ({ ...term, target_lang }))
      const saved = rows.length ? await save(user_id, rows) : []
      const added = saved.filter((row) => row.added).length
      return { added, changed: saved.length - added, skipped }
    },
  }
}

/** The first two columns of each line, by the term in lower case, and the lines without them. Empty lines are none. */
function parseTerms(csv: string): {
  terms: Map<string, { term: string; translation: string }>
  skipped: number[]
} {
  const text = csv.replace(/^\uFEFF/, '')
  const terms = new Map<string, { term: string; translation: string }>()
  const skipped: number[] = []
  for (const [at, cells] of parseCsv(text, findDelimiter(text)).entries()) {
    const [term = '', translation = ''] = cells.map((cell) => cell.trim())
    const isWhole =
      term && translation && term.length <= MAX_TERM_CHARS && translation.length <= MAX_TERM_CHARS
    if (isWhole) terms.set(term.toLowerCase(), { term, translation })
    else if (cells.some((cell) => cell.trim())) skipped.push(at + 1)
  }
  return { terms, skipped }
}
