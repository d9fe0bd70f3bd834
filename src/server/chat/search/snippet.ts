import type { SessionHit } from '#contract/sessions.ts'
import { folded } from './terms.ts'

/** Characters shown before and after what was found. */
const BEFORE = 16
const AFTER = 60

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
/** Cut at a whole character: half of one cannot be sent. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

/** The words of a text around the first one that was sought; its beginning where none is found. */
export function snippetOf(
  text: string,
  words: readonly string[],
): Pick<SessionHit, 'before' | 'match' | 'after'> {
  const small = folded(text)
  // The small letters of a few languages are longer: then only what is written the same is marked.
  const lower = small.length === text.length ? small : text
  const places = words
    .map((word) => ({ at: lower.indexOf(word), length: word.length }))
    .filter(({ at }) => at >= 0)
  const { at, length } = places.sort((a, b) => a.at - b.at || b.length - a.length)[0] ?? { at: 0, length: 0 }
  const from = Math.max(0, at - BEFORE)
  const to = at + length + AFTER
  return {
    before: (from ? '…' : '') + oneLine(whole(text.slice(from, at))).trimStart(),
    match: oneLine(text.slice(at, at + length)),
    after: oneLine(whole(text.slice(at + length, to))).trimEnd() + (to < text.length ? '…' : ''),
  }
}
