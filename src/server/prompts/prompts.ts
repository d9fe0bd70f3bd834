import { PROMPTS_PER_USER } from '#contract/prompts.ts'
import type { Prompt, PromptFields } from '#contract/prompts.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import { pageAnswer } from '../core/paging.ts'
import type { HousePrompts } from './house.ts'
import * as store from './store.ts'
import type { PromptRow } from './store.ts'

type Query = { q: string; category: string; page: number; size: number }
export type Prompts = ReturnType<typeof openPrompts>

/** Texts to begin a question with: those of the house, and those that people keep for themselves. */
export function openPrompts({ db, house }: { db: Db; house: HousePrompts }) {
  return {
    /** A person's own prompts, then the house's; `user_id` is null for whoever has none. */
    async list(user_id: string | null, { page, size, ...filter }: Query) {
      const own = user_id ? (await store.ownPrompts(db, user_id)).map(present) : []
      const found = [...own, ...house.prompts].filter((prompt) => passes(prompt, filter))
      const items = found.slice((page - 1) * size, page * size)
      const answer = pageAnswer(items, {
        total: found.length,
        page,
        size,
        url: '/api/chat/prompts',
        query: filter,
      })
      return { ...answer, categories: house.categories }
    },

    /** Throws AppError prompt_count. */
    async create(user_id: string, fields: PromptFields): Promise<Prompt> {
      if ((await store.countPrompts(db, user_id)) >= PROMPTS_PER_USER) throw new AppError('prompt_count')
      return present(await store.insertPrompt(db, user_id, fields))
    },

    /** Throws AppError not_found. */
    async change(user_id: string, id: string, changes: Partial<PromptFields>): Promise<Prompt> {
      const row = Object.keys(changes).length
        ? await store.updatePrompt(db, user_id, id, changes)
        : await store.promptById(db, user_id, id)
      if (!row) throw new AppError('not_found')
      return present(row)
    },

    /** Throws AppError not_found. */
    async remove(user_id: string, id: string): Promise<void> {
      if (!(await store.deletePrompt(db, user_id, id))) throw new AppError('not_found')
    },
  }
}

const present = ({ id, title, desc, text }: PromptRow): Prompt => ({
  id,
  title,
  desc,
  text,
  category: null,
  own: true,
})

function passes(prompt: Prompt, { q, category }: Pick<Query, 'q' | 'category'>): boolean {
  if (category && category !== (prompt.own ? 'own' : prompt.category)) return false
  const text = [prompt.title, prompt.desc, prompt.text].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
