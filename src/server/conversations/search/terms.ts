/** Terms of one message at most, those of some 25,000 Chinese characters. Words that are new after that are not found. */
const MAX_TERMS = 20_000
/** Words of one search. */
const MAX_WORDS = 8

/** To a search, capital and small letters are the same. */
export const foldCase = (text: string): string => text.toLowerCase()

/** The words of a search: what white space separates, folded. */
export const parseWords = (keywords: string): string[] =>
  [...new Set(foldCase(keywords).split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS)

const isSpace = (unit: number): boolean => unit <= 0x20 || unit === 0x3000 || unit === 0xa0

/**
 * What a text can be found by, each as one number: every character (UTF-16 unit), and every two that stand side by side
 * within a word. Chinese puts no spaces between words, so any two characters may be one.
 */
export function extractTerms(text: string): number[] {
  const terms = new Set<number>()
  const characters = foldCase(text)
  let previous = 0
  for (let at = 0; at < characters.length && terms.size < MAX_TERMS; at++) {
    const unit = characters.charCodeAt(at)
    const space = isSpace(unit)
    if (!space) terms.add(hashPair(0, unit))
    if (!space && previous) terms.add(hashPair(previous, unit))
    previous = space ? 0 : unit
  }
  return [...terms]
}

/** What a message must have to hold all these words; of longer words than two characters it may lack the order. */
export function toQueryTerms(words: readonly string[]): number[] {
  const terms = words.flatMap((word) =>
    word.length === 1
      ? [hashPair(0, word.charCodeAt(0))]
      : Array.from({ length: word.length - 1 }, (_, at) =>
          hashPair(word.charCodeAt(at), word.charCodeAt(at + 1)),
        ),
  )
  return [...new Set(terms)]
}

/** The words that terms alone cannot tell: the text itself is looked at. */
export const selectWordsToCheck = (words: readonly string[]): string[] =>
  words.filter(({ length }) => length > 2)

/** Two units as one number of 32 bits, well mixed: different pairs are different numbers (MurmurHash3's finalizer). */
function hashPair(first: number, second: number): number {
  let term = (first << 16) | second
  term = Math.imul(term ^ (term >>> 16), 0x85ebca6b)
  term = Math.imul(term ^ (term >>> 13), 0xc2b2ae35)
  return (term ^ (term >>> 16)) | 0
}
