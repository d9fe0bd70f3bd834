const BLANK = /\{\{[^{}\n]*\}\}/g

/** Where the next `{{…}}` at or after a position of a text is, or null. */
export function nextBlank(text: string, from: number): { start: number; end: number } | null {
  const blank = [...text.matchAll(BLANK)].find(({ index }) => index >= from)
  return blank ? { start: blank.index, end: blank.index + blank[0].length } : null
}
