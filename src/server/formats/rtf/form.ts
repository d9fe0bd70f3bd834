/** A field of a form: its kind, its result, what it is where nobody has changed it, and the choices of a list. */
export type FormField = { kind: number; result: number; initial: number; choices: string[] }

const CHECK_BOX = 1
export const LIST = 2
/** The result of a field that nobody has changed. */
const UNCHANGED = 25

export const createFormField = (): FormField => ({ kind: 0, result: UNCHANGED, initial: 0, choices: [] })

export function setFormField(form: FormField, word: string, value = 0): void {
  if (word === 'fftype') form.kind = value
  else if (word === 'ffres') form.result = value
  else if (word === 'ffdefres') form.initial = value
}

/** Formats a box to check, or the choice of a list; undefined for a field of text, whose result is in the document. */
export function formatFormField({ kind, result, initial, choices }: FormField): string | undefined {
  const value = result === UNCHANGED ? initial : result
  if (kind === CHECK_BOX) return value === 1 ? '☑' : '☐'
  return kind === LIST ? (choices[value] ?? '') : undefined
}
