import type { Piece } from '../readings.ts'

/**
 * Where a passage stands in a document: the number of the piece that it begins in, the characters of that piece before it, and its
 * length over the following pieces, joined by a blank line. Without a length it is the whole piece.
 */
export type PassageSpan = { n: number; from: number; chars: number | null }

/** Stands between two pieces that are one text. */
export const PIECE_BREAK = '\n\n'

/** Returns the address that shows a document at a passage. */
export function formatPassageUrl(blockId: string, { n, from, chars }: PassageSpan): string {
  return `/block/${blockId}?piece=${n}${chars === null ? '' : `&from=${from}&chars=${chars}`}`
}

/** Reads the passage that an address asks for, `?piece=2&from=0&chars=120`. Each call makes a new object. */
export function parsePassageSpan(search: URLSearchParams): PassageSpan | null {
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

type Part = { n: number } & Pick<Piece, 'text'>

/** The part of each piece that belongs to the passage; empty where its first piece is not among them. */
export function cutPassage(pieces: readonly Part[], { n, from, chars }: PassageSpan): Part[] {
  const first = pieces.findIndex((piece) => piece.n === n)
  if (first < 0) return []
  const parts: Part[] = []
  let start = from
  let end = chars === null ? Infinity : from + chars
  for (const piece of pieces.slice(first, chars === null ? first + 1 : undefined)) {
    if (end <= 0) break
    const text = piece.text.slice(Math.max(0, start), end)
    if (text) parts.push({ n: piece.n, text })
    start -= piece.text.length + PIECE_BREAK.length
    end -= piece.text.length + PIECE_BREAK.length
  }
  return parts
}
