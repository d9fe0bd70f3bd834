import { formatFormField, LIST } from '../rtf/form.ts'
import { readXst } from './word-file.ts'

/** The data of a form's field lie behind a header of this many bytes (MS-DOC 2.9.158, 2.9.78). */
const HEADER_BYTES = 68
/** Choices of a list that are read. */
const MAX_CHOICES = 100

/**
 * Formats the state of a form's field: a box to check, or the choice of a list. Undefined where the character is none, and nothing
 * for a field of text, whose result is in the document.
 */
export function readFormField(data: Buffer, at: number | undefined, instruction: string): string | undefined {
  if (!/^\s*FORM(TEXT|CHECKBOX|DROPDOWN)\b/i.test(instruction)) return undefined
  const start = (at ?? data.length) + HEADER_BYTES
  if (start + 10 > data.length) return ''
  const bits = data.readUInt16LE(start + 4)
  const kind = bits & 3
  const result = (bits >> 2) & 0x1f
  const name = readXst(data, start + 10)
  const initial = name.end + 4 <= data.length ? data.readUInt16LE(name.end + 2) : 0
  const choices = kind === LIST ? readChoices(data, name.end + 4) : []
  return formatFormField({ kind, result, initial, choices }) ?? ''
}

/** Reads the choices of a list, behind its format, two texts of help and the names of two macros, each with a zero behind it. */
function readChoices(data: Buffer, from: number): string[] {
  let at = from
  for (let text = 0; text < 5; text++) at = readXst(data, at).end + 2
  if (at + 6 > data.length) return []
  const count = Math.min(data.readUInt16LE(at + 2), MAX_CHOICES)
  at += 6
  return Array.from({ length: count }, () => {
    const choice = readXst(data, at)
    at = choice.end
    return choice.text
  })
}
