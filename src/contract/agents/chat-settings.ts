import { z } from 'zod'
import { DEFAULT_SUGGEST_PROMPTS, MAX_SUGGEST_PROMPTS } from './agent-defaults.ts'

const suggestPrompts = z
  .array(z.string().trim().max(200))
  .max(MAX_SUGGEST_PROMPTS)
  .transform((prompts) => prompts.filter(Boolean))

/** One prompt a line; an empty text is an empty list (specification section 5). */
const writtenPrompts = z
  .string()
  .max(10_000)
  .transform((text) => text.split('\n').filter((line) => line.trim()))
  .pipe(suggestPrompts)

/** `settings.chat` of an agent's form. */
export const chatSettings = z.object({
  /** Empty: the default prompt, with the name and description of the moment. */
  system_prompt: z.string().trim().max(20_000).default('').describe('系统提示词；空为默认的'),
  welcome_prompt: z.string().trim().max(2_000).default('').describe('欢迎语；空为默认的'),
  /** The two default questions when absent. */
  suggest_prompts: z
    .union([suggestPrompts, writtenPrompts])
    .default([...DEFAULT_SUGGEST_PROMPTS])
    .describe('建议的问题：列表，或每行一个的文字'),
})
