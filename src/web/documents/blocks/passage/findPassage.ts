/** A stretch of a text, by characters: `[start, end)`. */
export type Span = [start: number, end: number]

/** The letters of a text, and for each of them its index in the text. */
type Letters = { letters: string; places: number[] }

const LETTER = /[\p{L}\p{N}]/u
/** Separators by which a passage that is not found as a whole is split: paragraphs, lines, cells, sentences. */
const CUTS = [/\n{2,}/, /\n/, /(?<!\\)\|/, /(?<=[。！？；!?;])|(?<=\.)\s/]
/** Tables are split into words too: the page may show the two lines of a cell in two of its rows. */
const TABLE_CUTS = [...CUTS, /\s+/]
/** A part with fewer letters occurs anywhere: it counts only close behind the last match. */
const MIN_LETTERS = 4
const MAX_GAP_LETTERS = 12
/** Below this share of its letters a passage is not found, but only words that it has in common with the text. */
const MIN_SHARE = 0.5

/**
 * Finds a passage, given in Markdown, in a text as it is shown. Whitespace, punctuation and variants of a letter do not matter;
 * where the order differs (columns, tables), the parts are found one by one. Empty where it is not there.
 */
export function findPassage(shownText: string, passage: string): Span[] {
  const { letters, places } = foldLetters(shownText)
  const matches: Span[] = []
  const cuts = /^\s*\|/m.test(passage) ? TABLE_CUTS : CUTS
  const find = (text: string, level: number): void => {
    const last = matches.at(-1)?.[1] ?? 0
    for (const form of [text, text.replace(LIST_NUMBER, '')]) {
      const needle = foldLetters(form).letters
      if (!needle) return
      const at = findNear(letters, needle, last)
      const isSure = level === 0 || needle.length >= MIN_LETTERS || at - last <= MAX_GAP_LETTERS
      if (at >= 0 && isSure) return void matches.push([at, at + needle.length])
    }
    const cutAtLevel = cuts[level]
    if (cutAtLevel) for (const part of text.split(cutAtLevel)) find(part, level + 1)
  }
  const text = removeMarkup(passage)
  find(text, 0)
  const spans = dropStrays(joinSpans(matches))
  const total = spans.reduce((sum, [start, end]) => sum + end - start, 0)
  if (total < foldLetters(text).letters.length * MIN_SHARE) return []
  return spans.map(([start, end]) => [places[start] ?? 0, (places[end - 1] ?? 0) + 1])
}

/** The page shows list numbers, but its text does not contain them. */
const LIST_NUMBER = /^\s*\d{1,9}[.)]\s/

/** Removes tags of tables and addresses of links, whose letters nobody sees. */
const removeMarkup = (markdown: string): string =>
  markdown.replace(/(?<!\\)<\/?[a-z][^<>]{0,200}>/gi, ' ').replace(/\]\([^()\s]{0,2000}\)/g, ']')

/** The letters and digits of a text, folded, with the index of each in the text. */
function foldLetters(text: string): Letters {
  let letters = ''
  const places: number[] = []
  let at = 0
  for (const char of text) {
    for (const part of char.normalize('NFKD').toLowerCase()) {
      if (!LETTER.test(part)) continue
      letters += part
      for (let unit = 0; unit < part.length; unit++) places.push(at)
    }
    at += char.length
  }
  return { letters, places }
}

/** Searches from an index on, then anywhere; -1 where it is not found. */
function findNear(letters: string, needle: string, from: number): number {
  const at = letters.indexOf(needle, from)
  return at < 0 ? letters.indexOf(needle) : at
}

/** A span as short and as far from all others as this is a word that also stands elsewhere on the page. */
const STRAY_LETTERS = 12
const STRAY_GAP_LETTERS = 40

function dropStrays(spans: Span[]): Span[] {
  const isStray = ([start, end]: Span, at: number): boolean => {
    const before = start - (spans[at - 1]?.[1] ?? -Infinity)
    const after = (spans[at + 1]?.[0] ?? Infinity) - end
    return end - start < STRAY_LETTERS && Math.min(before, after) > STRAY_GAP_LETTERS
  }
  return spans.length > 1 ? spans.filter((span, at) => !isStray(span, at)) : spans
}

function joinSpans(spans: readonly Span[]): Span[] {
  const joinedSpans: Span[] = []
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = joinedSpans.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joinedSpans.push([start, end])
  }
  return joinedSpans
}
