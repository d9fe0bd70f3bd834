import type { Prompt } from '#contract/prompts.ts'

const MOST = 50

/** The prompts that have `q`, those with it in the title first; all of them while nothing was typed. */
export function matches(prompts: readonly Prompt[], q: string): Prompt[] {
  const wanted = q.toLowerCase()
  const inTitle = prompts.filter(({ title }) => title.toLowerCase().includes(wanted))
  const elsewhere = prompts.filter(
    (prompt) => !inTitle.includes(prompt) && `${prompt.desc}\n${prompt.text}`.toLowerCase().includes(wanted),
  )
  return [...inTitle, ...elsewhere].slice(0, MOST)
}
