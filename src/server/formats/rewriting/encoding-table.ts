import { decodeBytes } from '../text/byte-decoder.ts'

type Sequence = readonly number[]

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const pairs = (leads: number[], trails: number[]): Sequence[] =>
  leads.flatMap((lead) => trails.map((trail) => [lead, trail]))

const NEWLINE = 0x0a
const ASCII = range(0, 0x7f)
  .filter((byte) => byte !== NEWLINE)
  .map((byte) => [byte])
const HIGH = range(0x80, 0xff).map((byte) => [byte])
const TRAILS = range(0x40, 0xfe)
const LOW_LEADS = range(0x81, 0xa0)
const HIGH_LEADS = range(0xa1, 0xfe)

/** Number of characters of four bytes in GB18030 that lie in Unicode's first plane. */
const FOUR_BYTES = 39_420
/** The place of U+10000 among the sequences of four bytes, which go on in the order of code points. */
const FIRST_SUPPLEMENTARY = 189_000

/** Returns the sequence of four bytes at a place of GB18030 (Encoding Standard, 10.2.2). */
const toFourBytes = (place: number): Sequence => [
  0x81 + Math.floor(place / 12_600),
  0x30 + (Math.floor(place / 1260) % 10),
  0x81 + (Math.floor(place / 10) % 126),
  0x30 + (place % 10),
]

/**
 * Sequences of each encoding with more than one byte, the preferred ones first: a character may have several. As in the Encoding
 * Standard, Shift-JIS takes IBM's extensions and not NEC's copies of them, and Big5 those of Hong Kong only where it must.
 */
const SEQUENCES: Record<string, () => Sequence[]> = {
  gb18030: () => [...pairs(range(0x81, 0xfe), TRAILS), ...range(0, FOUR_BYTES - 1).map(toFourBytes)],
  big5: () => [...pairs(HIGH_LEADS, TRAILS), ...pairs(LOW_LEADS, TRAILS)],
  shift_jis: () => [
    ...pairs([...range(0x81, 0xec), ...range(0xef, 0xfc)], TRAILS),
    ...pairs([0xed, 0xee], TRAILS),
  ],
  'euc-jp': () => [
    ...pairs(range(0x8e, 0xfe), HIGH_LEADS),
    ...pairs(HIGH_LEADS, HIGH_LEADS).map((pair) => [0x8f, ...pair]),
  ],
  'euc-kr': () => [...pairs(HIGH_LEADS, HIGH_LEADS), ...pairs(range(0x81, 0xfe), TRAILS)],
}

/** Characters that Big5 has twice, and of which the second is meant (Encoding Standard, 5). */
const SECOND_IN_BIG5 = new Set('═╞╡╪十卅')

/**
 * Returns the bytes of each character in an encoding, found by decoding all of them: the platform decodes these encodings, and
 * encodes none.
 */
export function createTable(encoding: string): (character: string) => Uint8Array | undefined {
  const sequences = [...ASCII, ...(SEQUENCES[encoding]?.() ?? []), ...HIGH]
  const bytes = new Uint8Array(sequences.reduce((sum, { length }) => sum + length + 1, 0))
  let end = 0
  for (const sequence of sequences) {
    bytes.set(sequence, end)
    end += sequence.length
    bytes[end++] = NEWLINE
  }
  // A line end ends a character of any encoding, so that one decoding does for all sequences.
  const lines = decodeBytes(bytes, encoding).text.split('\n')
  const places = new Map<string, number>()
  for (const [index, character] of lines.entries()) {
    if (character === '\uFFFD' || index >= sequences.length || !isCharacter(character)) continue
    const isSecond = encoding === 'big5' && SECOND_IN_BIG5.has(character)
    if (isSecond || !places.has(character)) places.set(character, index)
  }
  const encode = (character: string): Uint8Array | undefined => {
    if (character === '\n') return Uint8Array.of(NEWLINE)
    const sequence = sequences[places.get(character) ?? -1]
    if (sequence) return Uint8Array.from(sequence)
    return encoding === 'gb18030' ? encodeSupplementary(character) : undefined
  }
  // A text has few different characters: an array for each of all its characters would take a gigabyte for some megabytes.
  const encoded = new Map<string, Uint8Array>()
  return (character) => {
    const known = encoded.get(character) ?? encode(character)
    if (known) encoded.set(character, known)
    return known
  }
}

const isCharacter = (text: string): boolean =>
  text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)

function encodeSupplementary(character: string): Uint8Array | undefined {
  const point = character.codePointAt(0) ?? 0
  return point > 0xffff ? Uint8Array.from(toFourBytes(FIRST_SUPPLEMENTARY + point - 0x10000)) : undefined
}
