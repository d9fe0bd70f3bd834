import { LINE_NUMBER } from '#contract/documents/sentences.ts'
import { findFences } from './fences.ts'
import { getSize, isRule, JOINED, LETTER, MAX_SIZE, readCode, SHORT } from './units.ts'
import type { Unit } from './units.ts'

/** Cuts a unit that is longer than `MAX_SIZE`. */
export function splitUnit({ type, text, size }: Unit): string[] {
  if (type === 'table') return splitTable(text)
  return type === 'code' ? splitCode(text) : splitParagraph(text, size)
}

/** Splits a table between its rows, each part with caption and header. A row that is too long is cut like a paragraph. */
function splitTable(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  const blank = lines.indexOf('', rule)
  const end = blank < 0 ? lines.length : blank
  const below = lines.slice(end + 1)
  const above = lines.slice(0, rule - 1)
  const caption = below.length ? [...above, ...below, ''] : above
  const header = [...caption, ...lines.slice(rule - 1, rule + 1)].join('\n')
  const headerSize = getSize(header)
  const isRepeated = headerSize <= JOINED
  const parts: string[] = isRepeated ? [] : splitParagraph(header, headerSize)
  const maxSize = Math.max(JOINED, headerSize + SHORT)
  let rows: string[] = []
  let size = 0
  const addPart = (content: string): void => void parts.push(isRepeated ? `${header}\n${content}` : content)
  const endPart = (): void => {
    if (rows.length) addPart(rows.join('\n'))
    rows = []
    size = isRepeated ? headerSize : 0
  }
  endPart()
  for (const row of lines.slice(rule + 1, end)) {
    const rowSize = getSize(row)
    if (size + rowSize > maxSize) endPart()
    if (rowSize > MAX_SIZE) for (const part of splitParagraph(row, rowSize)) addPart(part)
    else rows.push(row)
    size += rowSize
  }
  endPart()
  return parts
}

/** Splits code between its lines, each part fenced as the whole is. A line that is too long is cut like a paragraph. */
function splitCode(text: string): string[] {
  const lines = text.split('\n')
  const [fence] = findFences(lines)
  const opening = lines[fence?.from ?? 0]!
  if (!fence || getSize(opening) > SHORT) return splitParagraph(text, getSize(text))
  const { code, closing } = readCode(lines, fence)
  const above = lines.slice(0, fence.from)
  const room = MAX_SIZE - getSize([...above, opening, closing].join('\n'))
  const codeSize = getSize(code.join('\n'))
  const targetSize = codeSize / Math.ceil(codeSize / room)
  const parts: string[][] = []
  let size = Infinity
  for (const line of code) {
    const lineSize = getSize(line)
    const pieces = lineSize > MAX_SIZE ? splitParagraph(line, lineSize) : [line]
    for (const piece of pieces) {
      const pieceSize = getSize(piece) + LETTER
      if (size >= targetSize || size + pieceSize > room) {
        parts.push([])
        size = 0
      }
      parts.at(-1)!.push(piece)
      size += pieceSize
    }
  }
  return parts.map((part, at) => [...(at ? [] : above), opening, ...part, closing].join('\n'))
}

/** Splits a paragraph into similar sizes that end with a line or a sentence; a sentence that is too long is cut anywhere. */
function splitParagraph(text: string, size: number): string[] {
  if (size <= MAX_SIZE) return [text]
  const targetSize = size / Math.ceil(size / (MAX_SIZE * 0.9))
  const parts: string[] = []
  let current = ''
  let currentSize = 0
  for (const [sentence] of text.matchAll(SENTENCE)) {
    const sentenceSize = getSize(sentence)
    const isFull = currentSize >= targetSize || currentSize + sentenceSize > MAX_SIZE
    if (current && isFull) {
      parts.push(current.trim())
      current = ''
      currentSize = 0
    }
    current += sentence
    currentSize += sentenceSize
  }
  parts.push(current.trim())
  return parts.filter(Boolean)
}

const SENTENCE = new RegExp(
  String.raw`[^]{1,680}?(?:\n{1,20}|[。！？；!?;]{1,10}["”’」』）)]{0,3}\s{0,10}|(?<!${LINE_NUMBER})\.\s{1,10}|$)|[^]{1,700}`,
  'gu',
)

/**
 * Lists what may stand in a document as it is, the most likely first: the text of a chunk, and the text without what is repeated
 * in each part of a table or of a block of code.
 */
export function listOriginals(text: string): string[] {
  const lines = text.split('\n')
  const fences = findFences(lines)
  const last = fences.at(-1)
  const originals = [lines]
  if (last?.end === lines.length) originals.push(lines.slice(0, -1))
  if (fences[0]?.from === 0) originals.push(...originals.map((some) => some.slice(1)))
  const rule = lines.findIndex(
    (line, at) => isRule(line) && !fences.some(({ from, end }) => from <= at && at < end),
  )
  if (rule >= 0) originals.push(lines.slice(rule + 1))
  return originals.map((some) => some.join('\n')).filter((some) => some.trim())
}
