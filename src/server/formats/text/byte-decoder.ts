import iconv from 'iconv-lite'

export type DecodedText = { text: string; encoding: string }

export const REPLACEMENT = '\uFFFD'

/**
 * Encodings that the platform decodes with holes: it lacks half of the Korean syllables (code page 949) and the characters of Hong
 * Kong (HKSCS), which the Encoding Standard has.
 */
const LIBRARY_NAMES: Record<string, string> = { 'euc-kr': 'cp949', big5: 'big5-hkscs' }
const UTF32 = /^utf-32(le|be)$/

/** Returns the WHATWG's name of an encoding; throws a RangeError where it has none. GBK is read as GB18030. */
export function findEncoding(label: string): string {
  if (UTF32.test(label)) return label
  const { encoding } = new TextDecoder(label)
  // Every byte of GBK is a valid one of GB18030, which has the rare characters of names too.
  return encoding === 'gbk' ? 'gb18030' : encoding
}

/** Decodes bytes; invalid ones become U+FFFD. Throws a RangeError where the encoding is unknown. */
export function decodeBytes(bytes: Uint8Array, label: string): DecodedText {
  const encoding = findEncoding(label)
  if (UTF32.test(encoding)) return { text: decodeUtf32(bytes, encoding === 'utf-32le'), encoding }
  const name = LIBRARY_NAMES[encoding]
  const text = name ? iconv.decode(bytes, name) : new TextDecoder(encoding).decode(bytes)
  return { text, encoding }
}

/**
 * Decodes UTF-16 with the low byte first; half a character at the end is left out. Node writes beyond its own buffer where an odd
 * number of bytes begins at an odd address (https://github.com/nodejs/node/pull/64697).
 */
export function decodeUtf16(bytes: Buffer, start = 0, end = bytes.length): string {
  const part = bytes.subarray(start, end)
  return part.toString('utf16le', 0, part.length & ~1)
}

/** Returns nothing where a byte is invalid in this encoding, or the encoding is unknown. */
export function decodeStrictly(bytes: Uint8Array, label: string): DecodedText | undefined {
  try {
    const decoded = decodeBytes(bytes, label)
    return decoded.text.includes(REPLACEMENT) ? undefined : decoded
  } catch {
    return undefined
  }
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  let points: number[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle)
    points.push(point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? 0xfffd : point)
    if (points.length < 4096) continue
    parts.push(String.fromCodePoint(...points))
    points = []
  }
  return parts.join('') + String.fromCodePoint(...points)
}
