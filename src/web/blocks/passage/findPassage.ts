/** A stretch of a text, by characters: `[start, end)`. */
export type Span = [start: number, end: number]

/** Letters found one after the other, by their place among the letters of a text. */
type Letters = { letters: string; places: number[] }

const LETTER = /[\p{L}\p{N}]/u
/** What a passage that is not found as a whole is looked for by: paragraphs, lines, cells, sentences. */
const CUTS = [/\n{2,}/, /\n/, /(?<!\\)\|/, /(?<=[。！？；!?;])|(?<=\.)\s/]
/** In tables also by words: a cell may be two lines that stand in two rows of the page. */
const TABLE_CUTS = [...CUTS, /\s+/]
/** Fewer letters are found anywhere: they count only right behind what was found before. */
const MIN_LETTERS = 4
const MAX_GAP_LETTERS = 12
/** With less of it a passage is not found, but only words that it has in common with the text. */
const MIN_SHARE = 0.5

/**
 * Where a passage, in Markdown, stands in a text as it is shown. Spaces, line breaks, marks and forms of the same letter are
 * no difference; where the order is another one (columns, tables), its parts are found one by one. Empty where it is not there.
 */
export function findPassage(shown: string, passage: string): Span[] {
  const { letters, places } = foldLetters(shown)
  const found: Span[] = []
  const cuts = /^\s*\|/m.test(passage) ? TABLE_CUTS : CUTS
  const find = (text: string, level: number): void => {
    const last = found.at(-1)?.[1] ?? 0
    for (const form of [text, text.replace(LIST_NUMBER, '')]) {
      const wanted = foldLetters(form).letters
      if (!wanted) return
      const at = findNear(letters, wanted, last)
      const isSure = level === 0 || wanted.length >= MIN_LETTERS || at - last <= MAX_GAP_LETTERS
      if (at >= 0 && isSure) return void found.push([at, at + wanted.length])
    }
    const cut = cuts[level]
    if (cut) for (const part of text.split(cut)) find(part, level + 1)
  }
  const text = removeMarkup(passage)
  find(text, 0)
  const spans = dropStrays(joinSpans(found))
  const total = spans.reduce((sum, [start, end]) => sum + end - start, 0)
  if (total < foldLetters(text).letters.length * MIN_SHARE) return []
  return spans.map(([start, end]) => [places[start] ?? 0, (places[end - 1] ?? 0) + 1])
}

/** Lists are numbered by the page, not in its text. */
const LIST_NUMBER = /^\s*\d{1,9}[.)]\s/

/** Tags of tables, and the addresses of links: nobody sees their letters. */
const removeMarkup = (markdown: string): string =>
  markdown.replace(/(?<!\\)<\/?[a-z][^<>]{0,200}>/gi, ' ').replace(/\]\([^()\s]{0,2000}\)/g, ']')

/** The letters and digits of a text, folded, and where in the text each of them stands. */
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

/** From a place on, else anywhere; -1 where it is not. */
function findNear(letters: string, wanted: string, from: number): number {
  const at = letters.indexOf(wanted, from)
  return at < 0 ? letters.indexOf(wanted) : at
}

/** So short, and so far from all others, a span is a word that stands elsewhere on the page too. */
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
  const joined: Span[] = []
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
