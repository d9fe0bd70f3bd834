import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { KeptPart, Placeholders, TextProblem } from '#contract/translate/documents.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { TranslationProblem } from '#contract/translate/messages.ts'
import type { Place } from '#contract/readings.ts'
import { blocks } from '#server/documents/blocks/tables.ts'
import { organizations } from '#server/accounts/organizations/tables.ts'
import { tasks } from '#server/tasks/tables.ts'
import { users } from '#server/accounts/users/tables.ts'

const userId = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Translations of documents, each with its task. */
export const translations = pgTable(
  'translations',
  {
    task_id: uuid()
      .primaryKey()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    user_id: userId(),
    block_id: uuid()
      .notNull()
      .references(() => blocks.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    model: text().notNull(),
    target_lang: text().$type<TargetLanguage>().notNull(),
    tone: text().notNull(),
    /** Null until the segments of the document are extracted. */
    format: text(),
    kept: jsonb().$type<KeptPart[]>().notNull().default([]),
    /** Problems of putting the translations into the document; null until that was tried. */
    file_problems: jsonb().$type<TextProblem[]>(),
    /** Micro-coins charged that are not yet in the task's cost. */
    unsaved_cost: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
  },
  (t) => [index('translations_user').on(t.user_id), index('translations_block').on(t.block_id)],
)

/** The texts of a translated document. */
export const translationSegments = pgTable(
  'translation_segments',
  {
    task_id: uuid()
      .notNull()
      .references(() => translations.task_id, { onDelete: 'cascade' }),
    /** From 1. */
    n: integer().notNull(),
    text: text().notNull(),
    place: jsonb().$type<Place>().notNull(),
    /** Placeholders by the numbers of their tags in `text`; null where it has none. */
    placeholders: jsonb().$type<Placeholders>(),
    translation: text(),
    problem: text().$type<TranslationProblem>(),
    /** Number of requests to a model for this text. */
    tries: integer().notNull().default(0),
    /** The run that was asked last. */
    run_id: uuid(),
  },
  (t) => [primaryKey({ columns: [t.task_id, t.n] })],
)

/** How a person, or an organization for its members, wants a term translated. */
export const glossaryTerms = pgTable(
  'glossary_terms',
  {
    id: uuid().primaryKey(),
    user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    organization_id: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    target_lang: text().$type<TargetLanguage>().notNull(),
    term: text().notNull(),
    translation: text().notNull(),
  },
  (t) => [
    check('glossary_terms_owner', sql`num_nonnulls(${t.user_id}, ${t.organization_id}) = 1`),
    uniqueIndex('glossary_terms_own').on(t.user_id, t.target_lang, sql`lower(${t.term})`),
    uniqueIndex('glossary_terms_organization').on(t.organization_id, t.target_lang, sql`lower(${t.term})`),
  ],
)

/** Translations of a person: paid ones without a problem, and own ones. `hash` covers the text and all that it depends on. */
export const translationMemory = pgTable(
  'translation_memory',
  {
    user_id: userId(),
    hash: text().notNull(),
    translation: text().notNull(),
    used_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.hash] }),
    index('translation_memory_used').on(t.user_id, t.used_at),
  ],
)
