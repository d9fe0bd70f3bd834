import type { SessionHit } from '#contract/conversations/sessions.ts'
import { foldCase } from './terms.ts'

/** Characters shown before and after what was found. */
const BEFORE = 16
const AFTER = 60

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ')
/** Cut at a whole character: half of one cannot be sent. */
const trimHalfCharacters = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

/** The words of a text around the first one that was sought; its beginning where none is found. */
export function createSnippet(
  text: string,
  words: readonly string[],
): Pick<SessionHit, 'before' | 'match' | 'after'> {
  const foldedText = foldCase(text)
  // The small letters of a few languages are longer: then only what is written the same is marked.
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
