import { EVERYDAY_CHARACTERS } from './garble.ts'

export type DecodedText = { text: string; encoding: string }

/** Part of a file from which its encoding is guessed. */
const SAMPLE_BYTES = 256 * 1024
const REPLACEMENT = '\uFFFD'

/**
 * Decodes bytes as text. A byte order mark or the zeros of UTF-16 decide, then strict UTF-8, then the declared encoding, then the
 * one whose common characters occur most. `declared` is a label of the WHATWG; GB2312 is read as GB18030, as there.
 */
export function decodeText(bytes: Buffer, declared?: string): DecodedText {
  const marked = findByteOrderMark(bytes) ?? guessUtf16(bytes)
  if (marked) return marked
  const strict = decodeStrictly(bytes, 'utf-8') ?? (declared ? decodeStrictly(bytes, declared) : undefined)
  if (strict) return strict
  return decode(bytes, guessEncoding(bytes.subarray(0, SAMPLE_BYTES)))
}

/** Returns nothing where a byte is invalid in this encoding, or the encoding is unknown. */
function decodeStrictly(bytes: Uint8Array, label: string): DecodedText | undefined {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes)
    return decode(bytes, label)
  } catch {
    return undefined
  }
}

function decode(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(label)
  // Every byte of GBK is a valid one of GB18030, which has the rare characters of names too.
  const encoding = decoder.encoding === 'gbk' ? 'gb18030' : decoder.encoding
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function findByteOrderMark(bytes: Buffer): DecodedText | undefined {
  const mark = bytes.subarray(0, 4).toString('hex')
  if (mark.startsWith('efbbbf')) return decode(bytes, 'utf-8')
  if (mark === 'fffe0000') return decodeUtf32(bytes.subarray(4), 'LE')
  if (mark === '0000feff') return decodeUtf32(bytes.subarray(4), 'BE')
  if (mark.startsWith('fffe')) return decode(bytes, 'utf-16le')
  if (mark.startsWith('feff')) return decode(bytes, 'utf-16be')
  if (mark === '84319533') return decode(bytes.subarray(4), 'gb18030')
  return undefined
}

function decodeUtf32(bytes: Buffer, order: 'LE' | 'BE'): DecodedText {
  const points: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
    points.push(point <= 0x10ffff ? String.fromCodePoint(point) : REPLACEMENT)
  }
  return { text: points.join(''), encoding: order === 'LE' ? 'utf-32le' : 'utf-32be' }
}

/** Decodes UTF-16 without a mark: spaces, line ends and digits are byte pairs with a zero, always on the same side. */
function guessUtf16(bytes: Buffer): DecodedText | undefined {
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 50 || Math.min(even, odd) > Math.max(even, odd) / 20) return undefined
  if (bytes.length % 2) return undefined
  const decoded = decode(bytes, even > odd ? 'utf-16be' : 'utf-16le')
  return decoded.text.includes(REPLACEMENT) ? undefined : decoded
}

const CHINESE =
  '，。、；：的一是了不在有人大上个中这我以到他时来用们生地出就为会可也你对要能说子那得着下过自之年'
const TRADITIONAL =
  '，。、；：「」的一是了不在有人大上個中這我以到他時來用們生地出就為會可也你對要能說子那得著下過自之年'
const KOREAN = '이다는을의에가고하지로한기도서사리시인나자대해어라정그수보일제들과'
/** Kana, except those of half width, as which the bytes of other encodings are often read. */
const KANA = /[\u3041-\u30FF]/
const HANGUL = /[\uAC00-\uD7A3]/

type Candidate = {
  label: string
  common: (character: string) => boolean
  usual: (character: string) => boolean
}

const isIn = (characters: string): ((character: string) => boolean) => {
  const characterSet = new Set(characters)
  return (character) => characterSet.has(character)
}
const isEveryday = (character: string): boolean => EVERYDAY_CHARACTERS.has(character)
const never = (): boolean => false

const CANDIDATES: Candidate[] = [
  { label: 'utf-8', common: isIn(CHINESE + TRADITIONAL), usual: isEveryday },
  { label: 'gb18030', common: isIn(CHINESE + TRADITIONAL), usual: isEveryday },
  { label: 'big5', common: isIn(TRADITIONAL), usual: isEveryday },
  { label: 'shift_jis', common: (c) => KANA.test(c), usual: isEveryday },
  { label: 'euc-jp', common: (c) => KANA.test(c), usual: isEveryday },
  { label: 'euc-kr', common: isIn(KOREAN), usual: (c) => HANGUL.test(c) },
  { label: 'windows-1251', common: isIn('оеаинтсрвлОЕАИНТСРВЛ'), usual: never },
  { label: 'windows-1252', common: isIn('éèàüöäßñçáíóúâêîôãõåø’“”–—…·«»'), usual: never },
]
const USUAL_WEIGHT = 0.3

/** Returns the encoding in which the common characters of its language are the most frequent. */
function guessEncoding(sample: Uint8Array): string {
  const scores = CANDIDATES.map(({ label, common, usual }) => {
    // `stream`: a sample may end within a character.
    const text = new TextDecoder(label).decode(sample, { stream: true })
    let score = 0
    let bytes = 0
    for (const character of text) {
      if (character <= '\x7F') continue
      const width = label.startsWith('windows') ? 1 : 2
      bytes += width
      if (character === REPLACEMENT) score -= 4 * width
      else if (common(character)) score += width
      else if (usual(character)) score += USUAL_WEIGHT * width
    }
    return { label, score: bytes ? score / bytes : 0 }
  })
  const best = scores.reduce((best, each) => (each.score > best.score ? each : best))
  return best.score > 0 ? best.label : 'windows-1252'
}
