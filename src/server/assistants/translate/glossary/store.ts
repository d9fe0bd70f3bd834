import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { GlossaryTerm } from '#contract/translate/glossary.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { Db } from '#server/core/database/database.ts'
import { glossaryTerms as terms } from '../tables.ts'

/** Owner of terms: a person or an organization. */
export type TermOwner = { kind: 'user_id' | 'organization_id'; id: string }
const isOf = ({ kind, id }: TermOwner) => eq(terms[kind], id)

const columns = {
  id: terms.id,
  target_lang: terms.target_lang,
  term: terms.term,
  translation: terms.translation,
}

export async function listGlossary(
  db: Db,
  owner: TermOwner,
  targetLang?: TargetLanguage | 'unknown',
): Promise<GlossaryTerm[]> {
  return db
    .select(columns)
    .from(terms)
    .where(and(isOf(owner), targetLang && sql`${terms.target_lang} = ${targetLang}`))
    .orderBy(terms.target_lang, sql`lower(${terms.term})`)
}

/** Waits until nobody else changes the terms of this owner. */
export async function lockGlossary(tx: Db, { id }: TermOwner): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`glossary ${id}`}, 0))`)
}

/** Stores terms, none of them twice; tells for each whether it was added. */
export async function upsertTerms(
  tx: Db,
  { kind, id }: TermOwner,
  rows: GlossaryTerm[],
): Promise<{ id: string; added: boolean }[]> {
  const owner = sql.identifier(kind)
  const { rows: saved } = await tx.execute<{ id: string; added: boolean }>(sql`
    INSERT INTO glossary_terms (id, ${owner}, target_lang, term, translation)
    SELECT id, ${id}::uuid, target_lang, term, translation
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(id uuid, target_lang text, term text, translation text)
    ON CONFLICT (${owner}, target_lang, lower(term))
      DO UPDATE SET term = excluded.term, translation = excluded.translation
    RETURNING id, xmax = 0 AS added`)
  return saved
}

export async function countTerms(tx: Db, owner: TermOwner): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(terms).where(isOf(owner))
  return row!.total
}

/** Tells whether an owner has this term in another row. */
export async function hasOtherTerm(
  tx: Db,
  owner: TermOwner,
  id: string,
  { target_lang, term }: Pick<GlossaryTerm, 'target_lang' | 'term'>,
): Promise<boolean> {
  const rows = await tx
    .select({ id: terms.id })
    .from(terms)
    .where(
      and(
        isOf(owner),
        eq(terms.target_lang, target_lang),
        sql`lower(${terms.term}) = lower(${term})`,
        ne(terms.id, id),
      ),
    )
  return rows.length > 0
}

export async function updateTerm(
  tx: Db,
  owner: TermOwner,
  id: string,
  values: Omit<GlossaryTerm, 'id'>,
): Promise<boolean> {
  const rows = await tx
    .update(terms)
    .set(values)
    .where(and(isOf(owner), eq(terms.id, id)))
    .returning({ id: terms.id })
  return rows.length > 0
}

export async function deleteTerm(db: Db, owner: TermOwner, id: string): Promise<boolean> {
  const rows = await db
    .delete(terms)
    .where(and(isOf(owner), eq(terms.id, id)))
    .returning({ id: terms.id })
  return rows.length > 0
}
