/** Nobody types it (ASCII's unit separator). */
const SEPARATOR = '\u001F'

/** A question as its draft keeps it: what was typed and what was pasted beside it stay apart. */
export const serializeDraft = (typed: string, pasted: string): string =>
  pasted ? typed + SEPARATOR + pasted : typed

/** What was typed and what was pasted of a kept draft. */
export function parseDraft(draft: string): { typed: string; pasted: string } {
  const index = draft.indexOf(SEPARATOR)
  return index < 0
    ? { typed: draft, pasted: '' }
    : { typed: draft.slice(0, index), pasted: draft.slice(index + 1) }
}
