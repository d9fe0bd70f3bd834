import { readXst } from './word-file.ts'

/** The data of a form's field lie behind a header of this many bytes (MS-DOC 2.9.158, 2.9.78). */
const HEADER_BYTES = 68
const CHECK_BOX = 1
const LIST = 2
/** The result of a field that nobody has changed. */
const UNCHANGED = 25

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
  if (kind !== CHECK_BOX && kind !== LIST) return ''
  const initial = name.end + 4 <= data.length ? data.readUInt16LE(name.end + 2) : 0
  const value = result === UNCHANGED ? initial : result
  if (kind === CHECK_BOX) return value === 1 ? '☑' : '☐'
  // Before the choices are the format, two texts of help and the names of two macros, each with a zero behind it.
  let place = name.end + 4
  for (let text = 0; text < 5; text++) place = readXst(data, place).end + 2
  if (place + 6 > data.length) return ''
  const count = data.readUInt16LE(place + 2)
  if (value >= count) return ''
  place += 6
  for (let choice = 0; choice < Math.min(value, 100); choice++) place = readXst(data, place).end
  return readXst(data, place).text
}
