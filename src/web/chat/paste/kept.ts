/** Nobody types it (ASCII's unit separator). */
const BETWEEN = '\u001F'

/** A question as its draft keeps it: what was typed and what was pasted beside it stay apart. */
export const keptOf = (typed: string, pasted: string): string => (pasted ? typed + BETWEEN + pasted : typed)

/** What was typed and what was pasted of a kept draft. */
export function partsOf(kept: string): { typed: string; pasted: string } {
  const at = kept.indexOf(BETWEEN)
  return at < 0 ? { typed: kept, pasted: '' } : { typed: kept.slice(0, at), pasted: kept.slice(at + 1) }
}
