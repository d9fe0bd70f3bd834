import type { MessageSearch } from '#contract/search.ts'

/** Fenced and inline code, to its end or to that of the text or line; and links, which have brackets of their own. */
const APART = /(```[\s\S]*?(?:```|$)|`[^`\n]*(?:`|$)|\[[^\]\n]*\]\([^)\n]*\)|\$\$[\s\S]*?(?:\$\$|$))/
const CITATION = /\[(\d{1,2})\](?![(:])/g

/** The text of an answer with its citations, `[1]`, as links to the pages that they name; code stays as it is. */
export function linkCitations(text: string, search: MessageSearch | null): string {
  const { sources = [] } = search ?? {}
  if (!sources.length) return text
  const linked = (piece: string): string =>
    piece.replace(CITATION, (whole, n: string) => {
      const source = sources.find((some) => some.n === Number(n))
      return source ? `[\\[${n}\\]](<${source.url}>)` : whole
    })
  // Every second piece is one that is set apart.
  return text
    .split(APART)
    .map((piece, at) => (at % 2 ? piece : linked(piece)))
    .join('')
}
