const PLACEHOLDER_PATTERN = /\{\{[^{}\n]*\}\}/g

/** Range of the next `{{…}}` at or after an index of a text, or null. */
export function findPlaceholder(text: string, from: number): { start: number; end: number } | null {
  const match = [...text.matchAll(PLACEHOLDER_PATTERN)].find(({ index }) => index >= from)
  return match ? { start: match.index, end: match.index + match[0].length } : null
}
