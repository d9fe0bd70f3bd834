import { MAX_TERM_CHARS, MAX_TERMS } from '#contract/translate/glossary.ts'
import type { GlossaryScope, GlossaryTerm } from '#contract/translate/glossary.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { Role } from '#contract/users.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { findRole } from '#server/accounts/organizations/organizations.ts'
import { findDelimiter, parseCsv } from '#server/formats/formats.ts'
import * as store from './store.ts'
import type { TermOwner } from './store.ts'

type TermInput = Omit<GlossaryTerm, 'id'>
type Scoped<Input> = Input & { scope: GlossaryScope }
export type Glossary = ReturnType<typeof createGlossary>

/** Creates the glossaries: how a person wants terms translated, and an organization for its members. */
export function createGlossary(db: Db) {
  /** Returns the owner of terms that a person reads. Throws AppError not_found for a person without an organization. */
  const getOwner = async (userId: string, scope: GlossaryScope): Promise<TermOwner & { role?: Role }> => {
    if (scope === 'own') return { kind: 'user_id', id: userId }
    const membership = await findRole(db, userId)
    if (!membership) throw new AppError('not_found')
    return { kind: 'organization_id', id: membership.organization_id, role: membership.role }
  }
  /** Returns the owner of terms that a person changes. Throws AppError not_found, forbidden. */
  const requireOwner = async (userId: string, scope: GlossaryScope): Promise<TermOwner> => {
    const { role, ...owner } = await getOwner(userId, scope)
    if (role === 'member') throw new AppError('forbidden')
    return owner
  }

  /** Adds terms, or changes those that are there. Throws AppError glossary_full; then nothing is changed. */
  const save = (owner: TermOwner, terms: TermInput[]) =>
    db.transaction(async (tx) => {
      await store.lockGlossary(tx, owner)
      const saved = await store.upsertTerms(
        tx,
        owner,
        terms.map((term) => ({ ...term, id: createId() })),
      )
      const isLarger = saved.some(({ added }) => added)
      if (isLarger && (await store.countTerms(tx, owner)) > MAX_TERMS) throw new AppError('glossary_full')
      return saved
    })

  return {
    /** Throws AppError not_found. */
    async list(
      userId: string,
      { scope, target_lang }: Scoped<{ target_lang?: TargetLanguage | 'unknown' | undefined }>,
    ): Promise<GlossaryTerm[]> {
      return store.listGlossary(db, await getOwner(userId, scope), target_lang)
    },

    /** Throws AppError not_found, forbidden, as all changes do, and glossary_full. */
    async add(userId: string, { scope, ...term }: Scoped<TermInput>): Promise<GlossaryTerm> {
      const [saved] = await save(await requireOwner(userId, scope), [term])
      return { ...term, id: saved!.id }
    },

    /** Throws AppError glossary_duplicate as well. */
    async change(userId: string, id: string, { scope, ...term }: Scoped<TermInput>): Promise<GlossaryTerm> {
      const owner = await requireOwner(userId, scope)
      return db.transaction(async (tx) => {
        await store.lockGlossary(tx, owner)
        if (await store.hasOtherTerm(tx, owner, id, term)) throw new AppError('glossary_duplicate')
        if (!(await store.updateTerm(tx, owner, id, term))) throw new AppError('not_found')
        return { ...term, id }
      })
    },

    async remove(userId: string, id: string, scope: GlossaryScope): Promise<void> {
      const owner = await requireOwner(userId, scope)
      if (!(await store.deleteTerm(db, owner, id))) throw new AppError('not_found')
    },

    /** Adds the terms of a table; where one comes twice its last line counts. Throws AppError glossary_full as well. */
    async import(
      userId: string,
      { target_lang, csv, scope }: Scoped<{ target_lang: TargetLanguage; csv: string }>,
    ) {
      const owner = await requireOwner(userId, scope)
      const { terms, skipped } = parseTerms(csv)
      if (terms.size > MAX_TERMS) throw new AppError('glossary_full')
      const rows = [...terms.values()].map((term) => ({ ...term, target_lang }))
      const saved = rows.length ? await save(owner, rows) : []
      const added = saved.filter((row) => row.added).length
      return { added, changed: saved.length - added, skipped }
    },
  }
}

/** Reads the first two columns of each line, by the term in lower case, and lists other lines that are not empty. */
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
