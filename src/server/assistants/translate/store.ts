import { and, eq, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Extraction, Placeholders, Segment, TextProblem } from '#contract/translate/documents.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { TranslationProblem } from '#contract/translate/messages.ts'
import type { Db } from '#server/core/database/database.ts'
import { organizationOf } from '#server/accounts/organizations/organizations.ts'
import { hasLetters } from './engine/checks.ts'
import { glossaryTerms, translations } from './tables.ts'

export type TranslationRow = typeof translations.$inferSelect
/** Settings that a text's translation depends on. */
export type Settings = Pick<TranslationRow, 'model' | 'target_lang' | 'tone'>
export type SegmentRow = Omit<Segment, 'placeholders'> & {
  placeholders: Placeholders | null
  translation: string | null
  problem: TranslationProblem | null
}
export type AskedSegment = Omit<SegmentRow, 'place'> & { tries: number }

/** Most requests to a model for one text. */
export const MAX_TRIES = 2
/** Rows of one statement, whose JSON is a parameter. */
const ROWS_AT_A_TIME = 1_000
/** Most translations that are remembered for a person; beyond them the least recently used are forgotten. */
const MAX_MEMORY = 50_000

/** Waits until nobody else begins a translation of this block. */
export async function lockBlockTranslations(tx: Db, blockId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`translate ${blockId}`}, 0))`)
}

/** Finds the task of the same translation that is waiting or running. */
export async function findOpenTranslation(
  tx: Db,
  userId: string,
  { block_id, model, target_lang, tone }: Pick<TranslationRow, 'block_id'> & Settings,
): Promise<string | undefined> {
  const { rows } = await tx.execute<{ task_id: string }>(sql`
    SELECT task_id FROM translations t JOIN tasks ON tasks.id = t.task_id
    WHERE t.user_id = ${userId} AND block_id = ${block_id} AND model = ${model} AND target_lang = ${target_lang}
      AND tone = ${tone} AND tasks.state IN ('waiting', 'running')`)
  return rows[0]?.task_id
}

export async function insertTranslation(
  tx: Db,
  row: Pick<TranslationRow, 'task_id' | 'user_id' | 'block_id' | 'name'> & Settings,
): Promise<void> {
  await tx.insert(translations).values(row)
}

export async function findTranslation(
  db: Db,
  userId: string,
  taskId: string,
): Promise<TranslationRow | undefined> {
  const rows = await db
    .select()
    .from(translations)
    .where(and(eq(translations.task_id, taskId), eq(translations.user_id, userId)))
  return rows[0]
}

/** Stores the texts extracted from a document. A text without a letter is its own translation. */
export async function saveExtraction(
  tx: Db,
  taskId: string,
  { format, kept, segments }: Extraction,
): Promise<void> {
  const changed = await tx
    .update(translations)
    .set({ format, kept })
    .where(eq(translations.task_id, taskId))
    .returning({ task_id: translations.task_id })
  // The translation was deleted meanwhile.
  if (!changed.length) return
  for (let at = 0; at < segments.length; at += ROWS_AT_A_TIME) {
    const rows = segments.slice(at, at + ROWS_AT_A_TIME).map(({ n, text, place, placeholders = null }) => ({
      n,
      text,
      place,
      placeholders,
      translation: hasLetters(text) ? null : text,
    }))
    await tx.execute(sql`
      INSERT INTO translation_segments (task_id, n, text, place, placeholders, translation)
      SELECT ${taskId}::uuid, n, text, place, placeholders, translation
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(n int, text text, place jsonb, placeholders jsonb, translation text)`)
  }
}

export async function saveFileProblems(db: Db, taskId: string, fileProblems: TextProblem[]): Promise<void> {
  await db.update(translations).set({ file_problems: fileProblems }).where(eq(translations.task_id, taskId))
}

/** Lists the texts that have no good translation yet and may still be requested, in their order. */
export async function listOpenSegments(db: Db, taskId: string): Promise<AskedSegment[]> {
  const { rows } = await db.execute<AskedSegment>(sql`
    SELECT n, text, placeholders, translation, problem, tries FROM translation_segments
    WHERE task_id = ${taskId} AND NOT ${isSettled} ORDER BY n`)
  return rows
}
const isSettled = sql`(translation IS NOT NULL AND problem IS NULL OR tries >= ${MAX_TRIES})`

/** Texts were given up, and none was translated. Texts without letters do not count: they are copied without a run. */
const hasNoTranslation = (taskId: string): SQL => sql`(
  EXISTS (SELECT 1 FROM translation_segments WHERE task_id = ${taskId} AND problem IS NOT NULL)
  AND NOT EXISTS (
    SELECT 1 FROM translation_segments
    WHERE task_id = ${taskId} AND translation IS NOT NULL AND (run_id IS NOT NULL OR translation <> text)))`

export async function isUntranslated(db: Db, taskId: string): Promise<boolean> {
  const { rows } = await db.execute<{ untranslated: boolean }>(
    sql`SELECT ${hasNoTranslation(taskId)} AS untranslated`,
  )
  return rows[0]!.untranslated
}

/** Lets all texts of such a translation be requested again. */
export async function reopenUntranslated(tx: Db, taskId: string): Promise<void> {
  await tx.execute(sql`
    UPDATE translation_segments SET problem = NULL, tries = 0
    WHERE task_id = ${taskId} AND problem IS NOT NULL AND ${hasNoTranslation(taskId)}`)
}

/** Notes which run translates texts. Returns false where they are deleted. */
export async function assignRun(tx: Db, taskId: string, runId: string, ns: number[]): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    UPDATE translation_segments SET run_id = ${runId}
    WHERE task_id = ${taskId} AND n IN (SELECT value::int FROM json_array_elements_text(${JSON.stringify(ns)}::json))
    RETURNING n`)
  return rows.length > 0
}

export async function listAskedSegments(tx: Db, taskId: string, runId: string): Promise<AskedSegment[]> {
  const { rows } = await tx.execute<AskedSegment>(sql`
    SELECT n, text, placeholders, translation, problem, tries FROM translation_segments
    WHERE task_id = ${taskId} AND run_id = ${runId} ORDER BY n`)
  return rows
}

export async function saveSegments(
  tx: Db,
  taskId: string,
  segments: Pick<AskedSegment, 'n' | 'translation' | 'problem' | 'tries'>[],
): Promise<void> {
  for (let at = 0; at < segments.length; at += ROWS_AT_A_TIME) {
    const rows = segments
      .slice(at, at + ROWS_AT_A_TIME)
      .map(({ n, translation, problem, tries }) => ({ n, translation, problem, tries }))
    await tx.execute(sql`
      UPDATE translation_segments s SET translation = row.translation, problem = row.problem, tries = row.tries
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(n int, translation text, problem text, tries int)
      WHERE s.task_id = ${taskId} AND s.n = row.n`)
  }
}

/** Saves each result for every open segment that has its text. */
export async function saveTexts(
  tx: Db,
  taskId: string,
  texts: Pick<AskedSegment, 'text' | 'translation' | 'problem' | 'tries'>[],
): Promise<void> {
  const rows = texts.map(({ text, translation, problem, tries }) => ({ text, translation, problem, tries }))
  await tx.execute(sql`
    UPDATE translation_segments s SET translation = row.translation, problem = row.problem, tries = row.tries
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS row(text text, translation text, problem text, tries int)
    WHERE s.task_id = ${taskId} AND s.text = row.text AND NOT (s.translation IS NOT NULL AND s.problem IS NULL)
      AND s.tries < ${MAX_TRIES}`)
}

type Owned = Settings & Pick<TranslationRow, 'user_id'>

/** Adds a run's micro-coins to its translation, which is locked from then on. Returns undefined where it is deleted. */
export async function addCost(tx: Db, taskId: string, charged: bigint): Promise<Owned | undefined> {
  const { rows } = await tx.execute<Owned>(sql`
    UPDATE translations SET unsaved_cost = unsaved_cost + ${charged.toString()}::bigint WHERE task_id = ${taskId}
    RETURNING user_id, model, target_lang, tone`)
  return rows[0]
}

/** Returns the micro-coins charged since the last call; the translation is locked from then on. */
export async function takeCost(tx: Db, taskId: string): Promise<bigint> {
  const { rows } = await tx.execute<{ cost: string }>(sql`
    UPDATE translations t SET unsaved_cost = 0
    FROM (SELECT task_id, unsaved_cost FROM translations WHERE task_id = ${taskId} FOR UPDATE) old
    WHERE t.task_id = old.task_id RETURNING old.unsaved_cost::text AS cost`)
  return BigInt(rows[0]?.cost ?? 0)
}

export type SegmentCounts = {
  total: number
  settled: number
  translated: number
  from_memory: number
  failed: number
}

export async function countSegments(db: Db, taskId: string): Promise<SegmentCounts> {
  const { rows } = await db.execute<SegmentCounts>(sql`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE ${isSettled})::int AS settled,
      count(*) FILTER (WHERE translation IS NOT NULL)::int AS translated,
      count(*) FILTER (WHERE run_id IS NULL AND translation <> text)::int AS from_memory,
      count(*) FILTER (WHERE problem IS NOT NULL AND ${isSettled})::int AS failed
    FROM translation_segments WHERE task_id = ${taskId}`)
  return rows[0]!
}

export async function listSegments(
  db: Db,
  taskId: string,
  { after, size }: { after: number; size: number },
): Promise<SegmentRow[]> {
  const { rows } = await db.execute<SegmentRow>(sql`
    SELECT n, text, place, placeholders, translation, problem FROM translation_segments
    WHERE task_id = ${taskId} AND n > ${after} ORDER BY n LIMIT ${size}`)
  return rows
}

type SettledSegment = Pick<SegmentRow, 'n' | 'text' | 'placeholders' | 'translation'>

/** Lists the settled texts behind one, up to the first that is not settled. */
export async function listSettledFrom(
  db: Db,
  taskId: string,
  { after, size }: { after: number; size: number },
): Promise<SettledSegment[]> {
  const { rows } = await db.execute<SettledSegment & { settled: boolean }>(sql`
    SELECT n, text, placeholders, translation, ${isSettled} AS settled FROM translation_segments
    WHERE task_id = ${taskId} AND n > ${after} ORDER BY n LIMIT ${size}`)
  const open = rows.findIndex(({ settled }) => !settled)
  return open < 0 ? rows : rows.slice(0, open)
}

export async function listFailedSegments(db: Db, taskId: string, size: number): Promise<SegmentRow[]> {
  const { rows } = await db.execute<SegmentRow>(sql`
    SELECT n, text, place, placeholders, translation, problem FROM translation_segments
    WHERE task_id = ${taskId} AND problem IS NOT NULL AND ${isSettled} ORDER BY n LIMIT ${size}`)
  return rows
}

/** Reads the translations that there are, by the numbers of their texts. */
export async function readTranslations(db: Db, taskId: string): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ n: number; translation: string }>(sql`
    SELECT n, translation FROM translation_segments WHERE task_id = ${taskId} AND translation IS NOT NULL`)
  return new Map(rows.map(({ n, translation }) => [n, translation]))
}

/** Finds translations that are remembered for a person by their hashes, and marks them as used. */
export async function findMemory(db: Db, userId: string, hashes: string[]): Promise<Map<string, string>> {
  const translationsByHash = new Map<string, string>()
  for (let at = 0; at < hashes.length; at += ROWS_AT_A_TIME) {
    const { rows } = await db.execute<{ hash: string; translation: string }>(sql`
      UPDATE translation_memory SET used_at = now()
      WHERE user_id = ${userId} AND hash IN (
        SELECT json_array_elements_text(${JSON.stringify(hashes.slice(at, at + ROWS_AT_A_TIME))}::json))
      RETURNING hash, translation`)
    for (const { hash, translation } of rows) translationsByHash.set(hash, translation)
  }
  return translationsByHash
}

export type MemoryRow = { user_id: string; hash: string; translation: string }

/** Remembers translations, in an order that is the same in every transaction. */
export async function saveMemory(tx: Db, rows: MemoryRow[]): Promise<void> {
  if (!rows.length) return
  await tx.execute(sql`
    INSERT INTO translation_memory (user_id, hash, translation)
    SELECT DISTINCT ON (user_id, hash) user_id, hash, translation
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row(user_id uuid, hash text, translation text)
    ORDER BY user_id, hash
    ON CONFLICT (user_id, hash) DO UPDATE SET translation = excluded.translation, used_at = now()`)
}

/** Forgets each person's least recently used translations beyond `MAX_MEMORY`. */
export async function trimMemory(db: Db): Promise<void> {
  await db.execute(sql`
    DELETE FROM translation_memory m USING (
      SELECT user_id, hash, row_number() OVER (PARTITION BY user_id ORDER BY used_at DESC, hash) AS nth
      FROM translation_memory) ranked
    WHERE m.user_id = ranked.user_id AND m.hash = ranked.hash AND nth > ${MAX_MEMORY}`)
}

/** Lists a person's terms for a language, and those of the person's organization for which the person has none. */
export async function listTerms(
  db: Db,
  userId: string,
  targetLang: TargetLanguage,
): Promise<{ term: string; translation: string }[]> {
  const { user_id: userColumn, organization_id, term, translation } = glossaryTerms
  const isUsed = or(eq(userColumn, userId), eq(organization_id, organizationOf(userId)))
  return db
    .selectDistinctOn([sql`lower(${term})`], { term, translation })
    .from(glossaryTerms)
    .where(and(isUsed, eq(glossaryTerms.target_lang, targetLang)))
    .orderBy(sql`lower(${term})`, sql`${userColumn} NULLS LAST`)
}
