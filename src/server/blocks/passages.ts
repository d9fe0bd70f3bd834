import { setImmediate as yieldToOthers } from 'node:timers/promises'
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
  for (const sentence of text.match(
    /[^]{1,680}?(?:\n{1,20}|[。！？；!?;]{1,10}\s{0,10}|\.\s{1,10}|$)|[^]{700}/g,
  ) ?? [text]) {
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
const LETTER = /[\p{L}\p{N}]/u
/** A question that brings a text along is searched for by its beginning and its end. */
const MAX_QUESTION_CHARS = 2_000
const MAX_WORDS = 64

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Words of a question, folded; of Chinese the pairs of characters too, since segmenters disagree about words. */
export function extractWords(question: string): string[] {
  const half = MAX_QUESTION_CHARS / 2
  const text =
    question.length > MAX_QUESTION_CHARS ? `${question.slice(0, half)} ${question.slice(-half)}` : question
  const words = new Set<string>()
  for (const { segment, isWordLike } of segmenter.segment(fold(text.toWellFormed()))) {
    if (!isWordLike) continue
    words.add(segment)
    const characters = Array.from(segment)
    if (HAN.test(segment))
      for (let at = 0; at + 1 < characters.length; at++) words.add(characters.slice(at, at + 2).join(''))
  }
  return [...words].slice(0, MAX_WORDS)
}

/** How often a folded text has a word; of other scripts than Chinese as a word of its own. */
function countWord(text: string, word: string): number {
  const isWhole = !HAN.test(word)
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const around = [text[at - 1] ?? '', text[at + word.length] ?? '']
    if (!isWhole || !around.some((char) => LETTER.test(char) && !HAN.test(char))) count++
  }
  return count
}

/** Texts that are looked through before others have their turn. */
const TEXTS_AT_A_TIME = 100

/** Scores of texts for a question by BM25, in their order; 0 where no word of it occurs. */
export async function scoreTexts(question: string, texts: readonly string[]): Promise<number[]> {
  const words = extractWords(question)
  const counts: number[][] = []
  for (const [at, text] of texts.entries()) {
    if (at % TEXTS_AT_A_TIME === TEXTS_AT_A_TIME - 1) await yieldToOthers()
    const folded = fold(text)
    counts.push(words.map((word) => countWord(folded, word)))
  }
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length) || 1
  const weights = words.map((_, word) => {
    const holders = counts.filter((found) => found[word]! > 0).length
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  })
  return counts.map((found, at) =>
    found.reduce((score, count, word) => {
      const length = K1 * (1 - B + (B * texts[at]!.length) / average)
      return count ? score + (weights[word]! * count * (K1 + 1)) / (count + length) : score
    }, 0),
  )
}

/**
 * The passages to answer a question from, at most `max_chars` of them, in the order of the document: all where they fit;
 * else those that have most to do with the question, and the beginning, which says what the document is. Where no word of
 * the question occurs, passages from all over the document.
 */
export async function selectPassages(
  question: string,
  passages: readonly Passage[],
  max_chars: number,
): Promise<Passage[]> {
  const all_chars = passages.reduce((sum, passage) => sum + getChars(passage), 0)
  if (all_chars <= max_chars) return [...passages]
  const scores = await scoreTexts(
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
    if (chosen.has(at) || chars + getChars(passages[at]!) > max_chars) continue
    chosen.add(at)
    chars += getChars(passages[at]!)
  }
  return passages.filter((_, at) => chosen.has(at))
}

/** What a passage takes of a prompt, with its number and title. */
const getChars = ({ text }: Passage): number => text.length + 60
