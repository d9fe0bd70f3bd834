import { AppError } from '#server/core/app-error.ts'

/** Text that the dictionary begins with (MS-OXRTFCP 2.1.2.1). */
const INITIAL =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const DICTIONARY_BYTES = 4096
const HEADER_BYTES = 16
const UNCOMPRESSED = 'MELA'
/** Most bytes that a byte stands for: 17 for two, and the eighth of one. */
const MAX_RATIO = 9

/** Unpacks the body of a message as rich text (MS-OXRTFCP). Throws `document_damaged` where it is none. */
export function unpackRtf(bytes: Buffer): string {
  const kind = bytes.toString('latin1', 8, 12)
  const content = bytes.subarray(HEADER_BYTES)
  if (kind === UNCOMPRESSED) return content.toString('latin1')
  if (kind !== 'LZFu') throw new AppError('document_damaged')
  const dictionary = Buffer.alloc(DICTIONARY_BYTES, ' ')
  let end = dictionary.write(INITIAL, 'latin1')
  const output = Buffer.alloc(content.length * MAX_RATIO)
  let length = 0
  const put = (byte: number): void => {
    output[length++] = byte
    dictionary[end] = byte
    end = (end + 1) % DICTIONARY_BYTES
  }
  for (let at = 0; at < content.length;) {
    const flags = content[at++]!
    for (let bit = 0; bit < 8 && at < content.length; bit++) {
      if (!(flags & (1 << bit))) {
        put(content[at++]!)
        continue
      }
      // Twelve bits of a place in the dictionary, and four of a length; the place of its end ends the text.
      const reference = (content[at]! << 8) | (content[at + 1] ?? 0)
      at += 2
      const start = reference >> 4
      if (start === end) return output.toString('latin1', 0, length)
      for (let offset = 0; offset < (reference & 15) + 2; offset++)
        put(dictionary[(start + offset) % DICTIONARY_BYTES]!)
    }
  }
  return output.toString('latin1', 0, length)
}
