import type { Prompt } from '#contract/prompts.ts'

const MAX_RESULTS = 50

/** The prompts that have `q`, those with it in the title first; all of them while nothing was typed. */
export function filterPrompts(prompts: readonly Prompt[], query: string): Prompt[] {
  const needle = query.toLowerCase()
  const inTitle = prompts.filter(({ title }) => title.toLowerCase().includes(needle))
  const elsewhere = prompts.filter(
    (prompt) => !inTitle.includes(prompt) && `${prompt.desc}\n${prompt.text}`.toLowerCase().includes(needle),
  )
  return [...inTitle, ...elsewhere].slice(0, MAX_RESULTS)
}
