import type { BlockPiece } from '#contract/blocks.ts'

/**
 * A passage of a document, as its address names it: the piece that it begins in, the number of characters of that piece before
 * it, and its length over the following pieces, joined by a blank line. Without a length it is the whole piece. Each request for
 * a passage makes a new object.
 */
export type PassageTarget = { n: number; from: number; chars: number | null }

/** The passage that an address asks for, `?piece=2&from=0&chars=120`. */
export function parsePassageTarget(search: URLSearchParams): PassageTarget | null {
  const readNumber = (name: string): number => Math.floor(Number(search.get(name)) || 0)
  const n = readNumber('piece')
  return n > 0
    ? {
        n,
        from: Math.max(0, readNumber('from')),
        chars: readNumber('chars') > 0 ? readNumber('chars') : null,
      }
    : null
}

type Part = Pick<BlockPiece, 'n' | 'text'>

/** The part of each piece that belongs to the passage; empty where its first piece is not among them. */
export function cutPassage(pieces: readonly Part[], { n, from, chars }: PassageTarget): Part[] {
  const first = pieces.findIndex((piece) => piece.n === n)
  if (first < 0) return []
  const parts: Part[] = []
  let start = from
  let end = chars === null ? Infinity : from + chars
  for (const piece of pieces.slice(first, chars === null ? first + 1 : undefined)) {
    if (end <= 0) break
    const text = piece.text.slice(Math.max(0, start), end)
    if (text) parts.push({ n: piece.n, text })
    start -= piece.text.length + JOINT_CHARS
    end -= piece.text.length + JOINT_CHARS
  }
  return parts
}

/** Length of the blank line between two pieces. */
const JOINT_CHARS = 2
