import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { FOR_OPERATORS } from '#server/core/config.ts'
import { promptCategory } from '#contract/prompts.ts'
import type { Prompt, PromptCategory } from '#contract/prompts.ts'

const slug = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)

const fileSchema = z
  .strictObject({
    categories: z.array(promptCategory.extend({ id: slug.refine((id) => id !== 'own', '`own` is taken') })),
    prompts: z.array(
      z.strictObject({
        category: slug,
        id: slug,
        title: z.string().min(1).max(40),
        desc: z.string().max(100),
        text: z.string().min(1).max(8_000),
      }),
    ),
  })
  .refine(
    ({ categories, prompts }) =>
      prompts.every(({ category }) => categories.some(({ id }) => id === category)),
    'a prompt names a category that is not there',
  )
  .refine(
    ({ prompts }) => new Set(prompts.map(({ id }) => id)).size === prompts.length,
    'two prompts have the same id',
  )

export type BuiltInPrompts = { categories: PromptCategory[]; prompts: Prompt[] }

/** Reads the built-in prompts. Throws an Error that names the file and the fault. */
export function loadBuiltInPrompts(file: string): BuiltInPrompts {
  try {
    const { categories, prompts } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')), FOR_OPERATORS)
    return { categories, prompts: prompts.map((prompt) => ({ ...prompt, own: false })) }
  } catch (cause) {
    throw new Error(`cannot read the prompts in ${file}: ${String(cause)}`, { cause })
  }
}
