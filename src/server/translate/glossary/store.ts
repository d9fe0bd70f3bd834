import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { GlossaryTerm } from '#contract/translate/glossary.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { Db } from '#server/core/database/database.ts'
import { glossaryTerms as terms } from '../tables.ts'

const columns = {
  id: terms.id,
  target_lang: terms.target_lang,
  term: terms.term,
  translation: terms.translation,
}

export async function listGlossary(
  db: Db,
  user_id: string,
  target_lang?: TargetLanguage,
): Promise<GlossaryTerm[]> {
  return db
    .select(columns)
    .from(terms)
    .where(and(eq(terms.user_id, user_id), target_lang && eq(terms.target_lang, target_lang)))
    .orderBy(terms.target_lang, sql`lower(${terms.term})`)
}

/** Waits until nobody else changes a person's terms. */
export async function lockGlossary(tx: Db, user_id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`glossary ${user_id}`}, 0))`)
}

/** Stores terms, none of them twice; says of each whether it was not there. */
export async function upsertTerms(
  tx: Db,
  user_id: string,
  rows: GlossaryTerm[],
): Promise<{ id: string; added: boolean }[]> {
  const { rows: saved } = await tx.execute<{ id: string; added: boolean }>(sql`
    INSERT INTO glossary_terms (id, user_id, target_lang, term, translation)
    SELECT id, ${user_id}::uuid, target_lang, term, translation
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(id uuid, target_lang text, term text, translation text)
    ON CONFLICT (user_id, target_lang, lower(term))
      DO UPDATE SET term = excluded.term, translation = excluded.translation
    RETURNING id, xmax = 0 AS added`)
  return saved
}

export async function countTerms(tx: Db, user_id: string): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(terms).where(eq(terms.user_id, user_id))
  return row!.total
}

/** Whether a person has this term in another row. */
export async function hasOtherTerm(
  tx: Db,
  user_id: string,
  id: string,
  { target_lang, term }: Pick<GlossaryTerm, 'target_lang' | 'term'>,
): Promise<boolean> {
  const rows = await tx
    .select({ id: terms.id })
    .from(terms)
    .where(
      and(
        eq(terms.user_id, user_id),
        eq(terms.target_lang, target_lang),
        sql`lower(${terms.term}) = lower(${term})`,
        ne(terms.id, id),
      ),
    )
  return rows.length > 0
}

export async function updateTerm(
  tx: Db,
  user_id: string,
  id: string,
  values: Omit<GlossaryTerm, 'id'>,
): Promise<boolean> {
  const rows = await tx
    .update(terms)
    .set(values)
    .where(and(eq(terms.user_id, user_id), eq(terms.id, id)))
    .returning({ id: terms.id })
  return rows.length > 0
}

export async function deleteTerm(db: Db, user_id: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(terms)
    .where(and(eq(terms.user_id, user_id), eq(terms.id, id)))
    .returning({ id: terms.id })
  return rows.length > 0
}
