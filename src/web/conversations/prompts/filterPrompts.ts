import type { Prompt } from '#contract/prompts.ts'

const MAX_RESULTS = 50

/** Returns the prompts that contain `query`, title matches first; all prompts if it is empty. */
export function filterPrompts(prompts: readonly Prompt[], query: string): Prompt[] {
  const needle = query.toLowerCase()
  const inTitle = prompts.filter(({ title }) => title.toLowerCase().includes(needle))
  const elsewhere = prompts.filter(
    (prompt) => !inTitle.includes(prompt) && `${prompt.desc}\n${prompt.text}`.toLowerCase().includes(needle),
  )
  return [...inTitle, ...elsewhere].slice(0, MAX_RESULTS)
}
