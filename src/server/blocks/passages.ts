import type { Place } from '#contract/readings.ts'

/** A passage of a document, short enough to be cited. */
export type Passage = {
  /** The piece that it begins in. */
  piece: number
  place: Place
  text: string
}
type NumberedPiece = { n: number; text: string; place: Place }

/** Passages are about this long: a paragraph or two. */
const PASSAGE_CHARS = 700
/** BM25's usual constants: how soon more of the same word counts no more, and how much length counts. */
const K1 = 1.2
const B = 0.75

/** Cuts pieces into passages at paragraphs, lines or sentences; short neighbours on the same page or sheet become one. */
export function splitIntoPassages(pieces: readonly NumberedPiece[]): Passage[] {
  const passages: Passage[] = []
  for (const { n, text, place } of pieces) {
    for (const part of splitText(text)) {
      const last = passages.at(-1)
      const joins = last && last.text.length + part.length <= PASSAGE_CHARS && isSamePlace(last.place, place)
      if (joins) last.text += `\n\n${part}`
      else passages.push({ piece: n, place, text: part })
    }
  }
  return passages
}

const isSamePlace = (a: Place, b: Place): boolean =>
  a.page === b.page &&
  a.slide === b.slide &&
  a.sheet === b.sheet &&
  a.entry === b.entry &&
  a.heading?.join('\n') === b.heading?.join('\n')

function splitText(text: string): string[] {
  if (text.length <= PASSAGE_CHARS) return [text]
  const parts: string[] = []
  let current = ''
  // A sentence that is longer than a passage is cut where it is.
  for (const sentence of text.match(/[^]{1,700}?(?:\n+|[。！？；!?;]+\s*|\.\s+|$)|[^]{700}/g) ?? [text]) {
    if (current && current.length + sentence.length > PASSAGE_CHARS) {
      parts.push(current.trim())
      current = ''
    }
    current += sentence
  }
  parts.push(current.trim())
  return parts.filter(Boolean)
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const HAN = /\p{Script=Han}/u

/** Words of a text, folded; of Chinese the pairs of characters too, since segmenters disagree about words. */
export function extractWords(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC').toLowerCase())) {
    if (!isWordLike) continue
    words.push(segment)
    if (!HAN.test(segment)) continue
    const characters = Array.from(segment)
    if (characters.length > 2)
      for (let at = 0; at + 1 < characters.length; at++) words.push(characters[at]! + characters[at + 1]!)
  }
  return words
}

/** Scores of texts for a question by BM25, in their order; 0 where no word of it occurs. */
export function scoreTexts(question: string, texts: readonly string[]): number[] {
  const wanted = new Set(extractWords(question))
  const counts = texts.map((text) => {
    const found = new Map<string, number>()
    const words = extractWords(text)
    for (const word of words) if (wanted.has(word)) found.set(word, (found.get(word) ?? 0) + 1)
    return { found, length: words.length }
  })
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length) || 1
  const weights = new Map(
    [...wanted].map((word) => {
      const holders = counts.filter(({ found }) => found.has(word)).length
      return [word, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))]
    }),
  )
  return counts.map(({ found, length }) => {
    let score = 0
    for (const [word, count] of found)
      score += (weights.get(word)! * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
    return score
  })
}

/**
 * The passages to answer a question from, at most `max_chars` of them, in the order of the document: all where they fit;
 * else those that have most to do with the question, and the beginning, which says what the document is. Where no word of
 * the question occurs, passages from all over the document.
 */
export function selectPassages(question: string, passages: readonly Passage[], max_chars: number): Passage[] {
  const all_chars = passages.reduce((sum, { text }) => sum + text.length, 0)
  if (all_chars <= max_chars) return [...passages]
  const scores = scoreTexts(
    question,
    passages.map(({ text }) => text),
  )
  const ranked = passages.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b)
  const hits = ranked.filter((at) => scores[at]! > 0)
  const step = Math.max(1, Math.ceil(all_chars / max_chars))
  const order = hits.length ? [0, ...hits] : passages.map((_, at) => at).filter((at) => at % step === 0)
  const chosen = new Set<number>()
  let chars = 0
  for (const at of order) {
    if (chosen.has(at) || chars + passages[at]!.text.length > max_chars) continue
    chosen.add(at)
    chars += passages[at]!.text.length
  }
  return passages.filter((_, at) => chosen.has(at))
}
