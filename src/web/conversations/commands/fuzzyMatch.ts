import { findPinyin } from './pinyin.ts'

/**
 * Scores how well a text matches a query: lower is better, null is no match. A literal match ranks first, then one by pinyin,
 * whole or shortened, then the query's letters in order with gaps.
 */
function scoreMatch(query: string, text: string): number | null {
  const needle = query.trim().toLowerCase()
  if (!needle) return 0
  const lower = text.toLowerCase()
  const index = lower.indexOf(needle)
  if (index >= 0) return Math.min(index, 50)
  const letters = needle.replace(/\s+/g, '')
  const pinyinIndex = /^[a-z0-9]+$/.test(letters) ? findPinyin(letters, text) : -1
  if (pinyinIndex >= 0) return 100 + Math.min(pinyinIndex, 50)
  return hasLettersInOrder(letters, lower) ? 200 : null
}

function hasLettersInOrder(letters: string, text: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

/** The matching items, the best first; equal scores keep their order. */
export function fuzzySearch<T>(query: string, items: readonly T[], getText: (one: T) => string): T[] {
  return items
    .map((one) => ({ one, score: scoreMatch(query, getText(one)) }))
    .filter((match): match is { one: T; score: number } => match.score !== null)
    .sort((a, b) => a.score - b.score)
    .map(({ one }) => one)
}
