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
  term: z.string().trim().min(1).max(MAX_TERM_CHARS).describe('术语'),
  translation: z.string().trim().min(1).max(MAX_TERM_CHARS).describe('译法'),
})

/** A person's translation of a term into a language; the same term in another case is the same. */
const glossaryTerm = termFields.extend({ id: z.uuid().describe('术语的编号') }).describe('术语')
export type GlossaryTerm = z.output<typeof glossaryTerm>

const params = z.object({ id: z.uuid().describe('术语的编号') })
/** The owner of the terms: the person, or the organization, whose members use them and whose owners and admins write them. */
const scope = z
  .enum(['own', 'organization'])
  .default('own')
  .describe('own 自己的术语、organization 组织的术语')
export type GlossaryScope = z.output<typeof scope>

export const glossaryCalls = {
  'GET /api/glossary': {
    summary: '自己的术语表，或所在组织的',
    auth: 'user',
    query: z.object({ target_lang: filterLanguage.optional().describe('目标语言'), scope }),
    response: z.object({ items: z.array(glossaryTerm).describe('术语') }),
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
    body: z.object({
      target_lang: targetLanguage,
      csv: z.string().min(1).max(MAX_CSV_CHARS).describe('CSV 文本，每行两列：术语和译法'),
      scope,
    }),
    response: z.object({
      added: z.int().describe('新增的术语数'),
      changed: z.int().describe('修改的术语数'),
      skipped: z.array(z.int()).describe('没有术语或译法的行号，从 1 起'),
    }),
    errors: ['not_found', 'forbidden', 'glossary_full', 'rate_limited'],
  },
} as const satisfies Calls
