import { MAX_PROMPTS_PER_USER } from '#contract/prompts.ts'
import type { Prompt, PromptFields } from '#contract/prompts.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { BuiltInPrompts } from './built-in.ts'
import * as store from './store.ts'
import type { PromptRow } from './store.ts'

type PromptQuery = { q: string; category: string; page: number; size: number }
export type Prompts = ReturnType<typeof createPrompts>

/** Texts to begin a question with: built-in ones, and people's own. */
export function createPrompts({ db, built_in }: { db: Db; built_in: BuiltInPrompts }) {
  return {
    /** Lists a person's own prompts, then the built-in ones; `user_id` is null for people without any. */
    async list(userId: string | null, { page, size, ...filter }: PromptQuery) {
      const ownPrompts = userId ? (await store.listPrompts(db, userId)).map(toPrompt) : []
      const matches = [...ownPrompts, ...built_in.prompts].filter((prompt) => matchesFilter(prompt, filter))
      const items = matches.slice((page - 1) * size, page * size)
      const answer = toPageResponse(items, {
        total: matches.length,
        page,
        size,
        url: '/api/chat/prompts',
        query: filter,
      })
      return { ...answer, categories: built_in.categories }
    },

    listOwn: async (userId: string): Promise<Prompt[]> => (await store.listPrompts(db, userId)).map(toPrompt),

    /** Throws AppError prompt_count. */
    async create(userId: string, fields: PromptFields): Promise<Prompt> {
      if ((await store.countPrompts(db, userId)) >= MAX_PROMPTS_PER_USER) throw new AppError('prompt_count')
      return toPrompt(await store.insertPrompt(db, userId, fields))
    },

    /** Throws AppError not_found. */
    async update(userId: string, id: string, changes: Partial<PromptFields>): Promise<Prompt> {
      const row = Object.keys(changes).length
        ? await store.updatePrompt(db, userId, id, changes)
        : await store.findPrompt(db, userId, id)
      if (!row) throw new AppError('not_found')
      return toPrompt(row)
    },

    /** Throws AppError not_found. */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.deletePrompt(db, userId, id))) throw new AppError('not_found')
    },
  }
}

const toPrompt = ({ id, title, desc, text }: PromptRow): Prompt => ({
  id,
  title,
  desc,
  text,
  category: null,
  own: true,
})

function matchesFilter(prompt: Prompt, { q, category }: Pick<PromptQuery, 'q' | 'category'>): boolean {
  if (category && category !== (prompt.own ? 'own' : prompt.category)) return false
  const text = [prompt.title, prompt.desc, prompt.text].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
