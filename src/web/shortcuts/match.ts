import { initials } from './pinyin.ts'

/**
 * How well a text fits what was typed, the lower the better; null: not at all. As it stands, then by the first letters of
 * its pinyin, then letter by letter with gaps.
 */
export function fit(query: string, text: string): number | null {
  const wanted = query.trim().toLowerCase()
  if (!wanted) return 0
  const lower = text.toLowerCase()
  const at = lower.indexOf(wanted)
  if (at >= 0) return Math.min(at, 50)
  const letters = wanted.replace(/\s+/g, '')
  const spoken = /^[a-z0-9]+$/.test(letters) ? initials(text).indexOf(letters) : -1
  if (spoken >= 0) return 100 + Math.min(spoken, 50)
  return inOrder(letters, lower) ? 200 : null
}

function inOrder(letters: string, text: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

/** Those that fit, the best first; equals keep their order. */
export function search<T>(query: string, all: readonly T[], textOf: (one: T) => string): T[] {
  return all
    .map((one) => ({ one, score: fit(query, textOf(one)) }))
    .filter((found): found is { one: T; score: number } => found.score !== null)
    .sort((a, b) => a.score - b.score)
    .map(({ one }) => one)
}
