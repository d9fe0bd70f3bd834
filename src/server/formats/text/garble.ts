/** Decodes the rows of a double-byte encoding that its standard gives to everyday characters. */
function decodeRows(encoding: string, leads: [number, number], trails: [number, number][]): string {
  const bytes: number[] = []
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (const [first, last] of trails)
      for (let trail = first; trail <= last; trail++) bytes.push(lead, trail)
  }
  return new TextDecoder(encoding).decode(new Uint8Array(bytes)).replaceAll('\uFFFD', '')
}

/** Everyday Chinese characters, of simplified, traditional and Japanese writing: level 1 of their three standards. */
export const EVERYDAY_CHARACTERS: ReadonlySet<string> = new Set(
  [
    decodeRows('gb18030', [0xb0, 0xd7], [[0xa1, 0xfe]]),
    decodeRows(
      'big5',
      [0xa4, 0xc6],
      [
        [0x40, 0x7e],
        [0xa1, 0xfe],
      ],
    ),
    decodeRows(
      'shift_jis',
      [0x89, 0x97],
      [
        [0x40, 0x7e],
        [0x80, 0xfc],
      ],
    ),
  ].join(''),
)

const CHARACTER = /\S/gu
/** Signs of no text: replacement characters, private use, control characters, unassigned code points, `(cid:12)`. */
const NOT_TEXT = /[\uFFFD\p{Co}\p{Cn}\p{Cs}]|[^\P{Cc}\s]|\(cid:\d+\)/gu
/** UTF-8 that was read as Latin-1: `Ã©`, `ä¸­`. */
const LATIN_MOJIBAKE = /[ÃÂ][\u0080-\u00BF]|[à-ï][\u0080-\u00BF]{2}/g
const HAN = /\p{Script=Han}/gu
/** Above this share of rare ones among many Chinese characters, a text is UTF-8 that was read as GBK. */
const MAX_RARE = 0.5
const MIN_HAN = 20

/** Counts characters other than white space, and those among them that no text has: lost, private or control ones, mojibake. */
export function countGarbled(text: string): { garbled: number; chars: number } {
  const chars = count(text, CHARACTER)
  // Most text is plain ASCII and needs no closer look.
  if (!/[^\t\n\r -~]|\(cid:/.test(text)) return { garbled: 0, chars }
  const strange = count(text, NOT_TEXT) + 2 * count(text, LATIN_MOJIBAKE)
  const han = text.match(HAN) ?? []
  const rare = han.filter((character) => !EVERYDAY_CHARACTERS.has(character)).length
  const mojibake = han.length >= MIN_HAN && rare / han.length > MAX_RARE ? han.length : 0
  return { garbled: Math.min(chars, strange + mojibake), chars }
}

function count(text: string, pattern: RegExp): number {
  let total = 0
  pattern.lastIndex = 0
  while (pattern.test(text)) total++
  return total
}
