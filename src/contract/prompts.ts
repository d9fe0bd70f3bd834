import { z } from 'zod'
import type { Calls } from './call.ts'
import { pageNumber, paginated, pageSize } from '#contract/paging.ts'

const PROMPTS_PAGE_SIZE = 20
export const MAX_PROMPTS_PER_USER = 200
const MAX_TITLE = 40
const MAX_DESC = 100
const MAX_TEXT = 8_000

/** A text to begin a question with. `{{…}}` in it are blanks for the person to fill in. */
const prompt = z.object({
  /** A word for a built-in prompt, a UUID for a person's own. */
  id: z.string(),
  title: z.string(),
  desc: z.string(),
  text: z.string(),
  /** Id of a built-in category; null for a person's own prompt. */
  category: z.string().nullable(),
  own: z.boolean(),
})
export type Prompt = z.output<typeof prompt>

export const promptCategory = z.object({ id: z.string(), name: z.string() })
export type PromptCategory = z.output<typeof promptCategory>

const fields = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE),
  desc: z.string().trim().max(MAX_DESC),
  text: z.string().trim().min(1).max(MAX_TEXT),
})
export type PromptFields = z.output<typeof fields>

const idParams = z.object({ id: z.uuid() })

export const promptCalls = {
  'GET /api/chat/prompts': {
    summary: '提示词：自己的在前，然后是内置的；可按分类和关键词筛选',
    auth: 'public',
    query: z.object({
      /** Every word of it occurs in the title, the description or the text. */
      q: z.string().max(100).default(''),
      /** Id of a category, or `own`. */
      category: z.string().max(40).default(''),
      page: pageNumber,
      size: pageSize(PROMPTS_PAGE_SIZE),
    }),
    response: paginated(prompt).extend({ categories: z.array(promptCategory) }),
  },
  'POST /api/chat/prompts': {
    summary: '添加自己的提示词',
    auth: 'user',
    body: fields.extend({ desc: fields.shape.desc.default('') }),
    response: prompt,
    errors: ['prompt_count'],
  },
  'PUT /api/chat/prompts/{id}': {
    summary: '修改自己的提示词，未提交的字段保持不变',
    auth: 'user',
    params: idParams,
    body: fields.partial(),
    response: prompt,
    errors: ['not_found'],
  },
  'DELETE /api/chat/prompts/{id}': {
    summary: '删除自己的提示词',
    auth: 'user',
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
