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
  id: z.string().describe('提示词的编号：内置的是一个词，自己的是 UUID'),
  title: z.string().describe('标题'),
  desc: z.string().describe('说明'),
  text: z.string().describe('提示词的正文，{{…}} 处由使用者填写'),
  category: z.string().nullable().describe('内置分类的编号；自己的提示词为空'),
  own: z.boolean().describe('是否为自己的提示词'),
})
export type Prompt = z.output<typeof prompt>

export const promptCategory = z.object({
  id: z.string().describe('分类的编号'),
  name: z.string().describe('分类的名称'),
})
export type PromptCategory = z.output<typeof promptCategory>

const fields = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE).describe('标题'),
  desc: z.string().trim().max(MAX_DESC).describe('说明'),
  text: z.string().trim().min(1).max(MAX_TEXT).describe('提示词的正文，{{…}} 处由使用者填写'),
})
export type PromptFields = z.output<typeof fields>

const idParams = z.object({ id: z.uuid().describe('提示词的编号') })

export const promptCalls = {
  'GET /api/chat/prompts': {
    summary: '提示词：自己的在前，然后是内置的；可按分类和关键词筛选',
    auth: 'public',
    query: z.object({
      q: z.string().max(100).default('').describe('搜索的词：每个词都在标题、说明或正文里'),
      category: z.string().max(40).default('').describe('分类的编号，或 own：自己的'),
      page: pageNumber,
      size: pageSize(PROMPTS_PAGE_SIZE),
    }),
    response: paginated(prompt).extend({ categories: z.array(promptCategory).describe('分类列表') }),
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
