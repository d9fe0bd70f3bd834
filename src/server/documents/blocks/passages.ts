import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { extractQueryTerms, foldText, splitIntoChunks, stem } from '#server/documents/knowledge/knowledge.ts'
import type { Chunk, NumberedPiece, QueryTerm } from '#server/documents/knowledge/knowledge.ts'

/** A chunk and the place of its words: behind `from` characters of its piece, over `chars` of it and the pieces that follow. */
export type Passage = Chunk & { from: number; chars: number | null }

/** BM25's usual constants: saturation of repeated words, and influence of length. */
const K1 = 1.2
const B = 0.75
/** Most terms of a question that are searched for. */
const MAX_TERMS = 100

const HAN = /\p{Script=Han}/u
const LETTER = /[\p{L}\p{N}]/u

/** Separator of two pieces that are one text. */
const BREAK = '\n\n'
/** Longest gap between two lines of a chunk, or between chunks: blank lines, and the header of a table. */
const MAX_GAP_CHARS = 1_000
const TABLE_RULE = /^\s*\|[\s:|-]+\|\s*$/

/**
 * Cuts pieces into passages. A chunk has its piece's words, but not letter by letter: blank lines are dropped, and a part of a
 * table has the table's header before it. So its lines are searched for one after the other.
 */
export function splitIntoPassages(pieces: readonly NumberedPiece[]): Passage[] {
  const starts = new Map<number, number>()
  let text = ''
  for (const piece of pieces) {
    starts.set(piece.n, text.length)
    text += piece.text + BREAK
  }
  let lastEnd = 0
  return splitIntoChunks(pieces).map((chunk) => {
    const pieceStart = starts.get(chunk.piece) ?? 0
    const lines = chunk.text.split('\n')
    const rows = lines.slice(lines.findLastIndex((line) => TABLE_RULE.test(line)) + 1)
    let start = -1
    let end = Math.max(lastEnd, pieceStart)
    for (const line of (rows.length ? rows : lines).filter((one) => one.trim())) {
      const at = text.slice(end, end + MAX_GAP_CHARS + line.length).indexOf(line)
      if (at < 0) continue
      if (start < 0) start = end + at
      end += at + line.length
    }
    if (start < 0) return { ...chunk, from: 0, chars: null }
    lastEnd = end
    return { ...chunk, from: start - pieceStart, chars: end - start }
  })
}

/** Counts a term in a folded text; in scripts other than Chinese only as a word of its own, whatever its ending. */
function countTerm(text: string, { text: term }: QueryTerm): number {
  const isPart = HAN.test(term)
  let count = 0
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    if (isPart || isWord(text, at, term)) count++
  }
  return count
}

function isWord(text: string, at: number, term: string): boolean {
  const isLetter = (position: number): boolean => {
    const char = text[position] ?? ''
    return LETTER.test(char) && !HAN.test(char)
  }
  if (isLetter(at - 1)) return false
  let end = at + term.length
  while (end - at < MAX_WORD_CHARS && isLetter(end)) end++
  return end === at + term.length || stem(text.slice(at, end)) === term
}
const MAX_WORD_CHARS = 40

/** Texts that are searched before other work has its turn. */
const TEXTS_AT_A_TIME = 100

/** Scores texts for a question by BM25, in their order; 0 where none of its words occurs. */
export async function scoreTexts(question: string, texts: readonly string[]): Promise<number[]> {
  const terms = extractQueryTerms(question).slice(0, MAX_TERMS)
  const counts: number[][] = []
  for (const [at, text] of texts.entries()) {
    if (at % TEXTS_AT_A_TIME === TEXTS_AT_A_TIME - 1) await yieldToOthers()
    const folded = foldText(text)
    counts.push(terms.map((term) => countTerm(folded, term)))
  }
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length) || 1
  const weights = terms.map(({ weight }, term) => {
    const holders = counts.filter((textCounts) => textCounts[term]! > 0).length
    return weight * Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  })
  return counts.map((textCounts, at) =>
    textCounts.reduce((score, count, term) => {
      const length = K1 * (1 - B + (B * texts[at]!.length) / average)
      return count ? score + (weights[term]! * count * (K1 + 1)) / (count + length) : score
    }, 0),
  )
}

/**
 * Selects the passages to answer a question from, at most `maxChars` characters, in the order of the document: all where they
 * fit; else the most relevant ones, and the beginning, which says what the document is. Where no word of the question occurs,
 * selects passages from all over the document.
 */
export async function selectPassages(
  question: string,
  passages: readonly Passage[],
  maxChars: number,
): Promise<Passage[]> {
  const allChars = passages.reduce((sum, passage) => sum + getChars(passage), 0)
  if (allChars <= maxChars) return [...passages]
  const scores = await scoreTexts(
    question,
    passages.map(({ text }) => text),
  )
  const ranked = passages.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b)
  const hits = ranked.filter((at) => scores[at]! > 0)
  const step = Math.max(1, Math.ceil(allChars / maxChars))
  const order = hits.length ? [0, ...hits] : passages.map((_, at) => at).filter((at) => at % step === 0)
  const chosenIndexes = new Set<number>()
  let chars = 0
  for (const at of order) {
    if (chosenIndexes.has(at) || chars + getChars(passages[at]!) > maxChars) continue
    chosenIndexes.add(at)
    chars += getChars(passages[at]!)
  }
  return passages.filter((_, at) => chosenIndexes.has(at))
}

/** Returns the characters of a passage in a prompt, with its number and title. */
const getChars = ({ text }: Chunk): number => text.length + 60
