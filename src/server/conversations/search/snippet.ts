import type { SessionHit } from '#contract/conversations/sessions.ts'
import { foldCase } from './terms.ts'

/** Characters shown before and after the match. */
const BEFORE = 16
const AFTER = 60

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ')
/** Cuts at whole characters: half of one cannot be sent. */
const trimHalfCharacters = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

/** Returns the part of a text around its first match; the beginning if there is none. */
export function createSnippet(
  text: string,
  words: readonly string[],
): Pick<SessionHit, 'before' | 'match' | 'after'> {
  const foldedText = foldCase(text)
  // Lower case is longer in a few languages: only exact matches are marked then.
  const lower = foldedText.length === text.length ? foldedText : text
  const matches = words
    .map((word) => ({ at: lower.indexOf(word), length: word.length }))
    .filter(({ at }) => at >= 0)
  const { at, length } = matches.sort((a, b) => a.at - b.at || b.length - a.length)[0] ?? { at: 0, length: 0 }
  const from = Math.max(0, at - BEFORE)
  const to = at + length + AFTER
  return {
    before: (from ? '…' : '') + collapseWhitespace(trimHalfCharacters(text.slice(from, at))).trimStart(),
    match: collapseWhitespace(text.slice(at, at + length)),
    after:
      collapseWhitespace(trimHalfCharacters(text.slice(at + length, to))).trimEnd() +
      (to < text.length ? '…' : ''),
  }
}
