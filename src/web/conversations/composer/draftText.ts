/** ASCII's unit separator, which nobody types. */
const SEPARATOR = '\u001F'

/** Joins the typed and the pasted text of a question, so that `parseDraft` can separate them. */
export const serializeDraft = (typedText: string, pastedText: string): string =>
  pastedText ? typedText + SEPARATOR + pastedText : typedText

/** Separates the typed and the pasted text of a stored draft. */
export function parseDraft(draft: string): { typed: string; pasted: string } {
  const index = draft.indexOf(SEPARATOR)
  return index < 0
    ? { typed: draft, pasted: '' }
    : { typed: draft.slice(0, index), pasted: draft.slice(index + 1) }
}
