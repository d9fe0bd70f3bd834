import { z } from 'zod'
import type { Calls } from '../call.ts'
import { filterLanguage, targetLanguage } from './target-language.ts'

/** Most terms of a person or an organization, all languages together. */
export const MAX_TERMS = 2_000
export const MAX_TERM_CHARS = 120
/** Longest import, characters: a table of two columns, the term and its translation. */
export const MAX_CSV_CHARS = 500_000

const termFields = z.object({
  target_lang: targetLanguage,
  term: z.string().trim().min(1).max(MAX_TERM_CHARS),
  translation: z.string().trim().min(1).max(MAX_TERM_CHARS),
})

/** A person's translation of a term into a language; the same term in another case is the same. */
const glossaryTerm = termFields.extend({ id: z.uuid() })
export type GlossaryTerm = z.output<typeof glossaryTerm>

const params = z.object({ id: z.uuid() })
/** The owner of the terms: the person, or the organization, whose members use them and whose owners and admins write them. */
const scope = z.enum(['own', 'organization']).default('own')
export type GlossaryScope = z.output<typeof scope>

export const glossaryCalls = {
  'GET /api/glossary': {
    summary: '自己的术语表，或所在组织的',
    auth: 'user',
    query: z.object({ target_lang: filterLanguage.optional(), scope }),
    response: z.object({ items: z.array(glossaryTerm) }),
    errors: ['not_found'],
  },
  'POST /api/glossary': {
    summary: '添加术语；已有的术语改为新的译法。组织的术语由所有者与管理员修改',
    auth: 'user',
    body: termFields.extend({ scope }),
    response: z.object({ data: glossaryTerm }),
    errors: ['not_found', 'forbidden', 'glossary_full', 'rate_limited'],
  },
  'PUT /api/glossary/{id}': {
    summary: '修改术语',
    auth: 'user',
    params,
    body: termFields.extend({ scope }),
    response: z.object({ data: glossaryTerm }),
    errors: ['not_found', 'forbidden', 'glossary_duplicate', 'rate_limited'],
  },
  'DELETE /api/glossary/{id}': {
    summary: '删除术语',
    auth: 'user',
    params,
    query: z.object({ scope }),
    response: 'none',
    errors: ['not_found', 'forbidden'],
  },
  'POST /api/glossary/import': {
    summary: '从 CSV 导入术语：每行两列，术语和译法',
    auth: 'user',
    body: z.object({ target_lang: targetLanguage, csv: z.string().min(1).max(MAX_CSV_CHARS), scope }),
    response: z.object({
      added: z.int(),
      changed: z.int(),
      /** Lines, from 1, that have no term with a translation. */
      skipped: z.array(z.int()),
    }),
    errors: ['not_found', 'forbidden', 'glossary_full', 'rate_limited'],
  },
} as const satisfies Calls
