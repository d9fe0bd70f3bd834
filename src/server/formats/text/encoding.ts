import { isUtf8 } from 'node:buffer'
import { decodeBytes, decodeStrictly, findEncoding } from './byte-decoder.ts'
import type { DecodedText } from './byte-decoder.ts'
import { loadModel, measureAscii, measureCost } from './character-model.ts'
import { guessEncodings } from './encoding-guess.ts'
import { decodeIso2022 } from './iso-2022.ts'

/** Only a text as short as this is looked at again when it is valid UTF-8, bytes. */
const MAX_SHORT_BYTES = 64
/** How far valid UTF-8 is trusted, nats. */
const UTF8_BONUS = 6
/** How far a declared encoding is trusted, nats: against a line of text, but not against a page. */
const DECLARED_BONUS = 40

/**
 * Decodes bytes as text. A byte order mark or the escapes of ISO 2022 decide, then strict UTF-8, then the declared encoding, then
 * the one in which the text is the most usual in one of its languages; in doubt GB18030. `declared` is a label of the WHATWG;
 * GB2312 is read as GB18030, as there.
 */
export function decodeText(bytes: Buffer, declared?: string): DecodedText {
  const marked = findByteOrderMark(bytes) ?? decodeIso2022(bytes)
  if (marked) return marked
  if (isUtf8(bytes) && !bytes.includes(0)) return decodeShort(bytes) ?? decodeBytes(bytes, 'utf-8')
  const encoding = resolveLabel(declared)
  // Among the encodings of one byte a declaration decides: every byte means something in most of them.
  const isWide = encoding !== undefined && isMultiByte(encoding)
  const strict = encoding ? decodeStrictly(bytes, encoding) : undefined
  if (strict && isWide) return strict
  const [best] = guessEncodings(bytes, encoding, DECLARED_BONUS)
  if (strict && !(best && isMultiByte(best.encoding))) return strict
  return decodeBytes(bytes, best?.encoding ?? 'windows-1252')
}

/** Bytes of a sample that tell whether a file is text at all. */
const SAMPLE_BYTES = 1024
/** Most that text of two or four bytes a character costs, nats a character: other bytes give characters at random. */
const MAX_COST = 8.5
/** Rare encodings cost this for being rare, nats. */
const PRIOR_COST = 10

/** Characters that no text has: controls but white space, lost ones, unassigned ones. */
const NOT_TEXT = /[\uFFFD\p{Cn}\p{Co}]|[^\P{Cc}\s]/u

/** Tells whether bytes with control characters are text in UTF-16, UTF-32 or ISO 2022, without a mark of it. */
export function isWideText(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % 4) || bytes.length))
  if (decodeIso2022(bytes)) return true
  // A whole file has whole characters.
  if (bytes.length < SAMPLE_BYTES && bytes.length % 2 !== 0) return false
  const [best] = guessEncodings(sample)
  if (!best || !/^utf-(16|32)/.test(best.encoding)) return false
  const { text } = decodeBytes(sample, best.encoding)
  return !NOT_TEXT.test(text) && best.cost < PRIOR_COST + MAX_COST * Array.from(text).length
}

const isMultiByte = (encoding: string): boolean => /^(utf|gb|big5|shift|euc|iso-2022)/.test(encoding)

function resolveLabel(label: string | undefined): string | undefined {
  try {
    return label ? findEncoding(label) : undefined
  } catch {
    return undefined
  }
}

function findByteOrderMark(bytes: Buffer): DecodedText | undefined {
  const mark = bytes.subarray(0, 4).toString('hex')
  if (mark.startsWith('efbbbf')) return decodeBytes(bytes, 'utf-8')
  if (mark === 'fffe0000') return decodeBytes(bytes.subarray(4), 'utf-32le')
  if (mark === '0000feff') return decodeBytes(bytes.subarray(4), 'utf-32be')
  if (mark.startsWith('fffe')) return decodeBytes(bytes, 'utf-16le')
  if (mark.startsWith('feff')) return decodeBytes(bytes, 'utf-16be')
  if (mark === '84319533') return decodeBytes(bytes.subarray(4), 'gb18030')
  return undefined
}

/** Tells whether a byte is a control character that no text has, other than the escape of terminals. */
export const isControl = (byte: number): boolean => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27

/** Characters of at most two bytes in UTF-8, other than words of ASCII. */
const NARROW_SIGNS = /^(?![\w\s,.]*$)[^\u0800-\uFFFF]+$/

/**
 * Decodes bytes that are valid UTF-8 as another encoding where this makes much more sense: a few characters of GB18030 or UTF-16
 * may have the bytes of odd signs, as 什么 has those of `ʲô` and 你好 those of `` `O}Y ``.
 */
function decodeShort(bytes: Buffer): DecodedText | undefined {
  const text = bytes.toString('utf8', 0, MAX_SHORT_BYTES)
  // They are halves of other characters.
  const hasControl = bytes.subarray(0, MAX_SHORT_BYTES).some(isControl)
  if (!hasControl && (bytes.length > MAX_SHORT_BYTES || !NARROW_SIGNS.test(text))) return undefined
  if (!hasControl && !/[\u0080-\uFFFF]/.test(text)) return decodeShortUtf16(bytes, text)
  const [best] = guessEncodings(bytes, 'utf-8', UTF8_BONUS)
  return best && /^(utf-16|gb)/.test(best.encoding) ? decodeStrictly(bytes, best.encoding) : undefined
}

function decodeShortUtf16(bytes: Buffer, ascii: string): DecodedText | undefined {
  if (bytes.length % 2 || bytes.length < 4) return undefined
  const model = loadModel('zh')
  const decoded = decodeBytes(bytes, 'utf-16le')
  const isKnown = Array.from(decoded.text).every((character) =>
    model.costs.has(character.codePointAt(0) ?? 0),
  )
  return isKnown && measureCost(decoded.text, model) + UTF8_BONUS < measureAscii(ascii) ? decoded : undefined
}
