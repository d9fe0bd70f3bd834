import type { Box } from './boxes.ts'

/** A part of a box's text, from one index to another. */
export type Span = { start: number; end: number }

const WIDE = /[\u1100-\u115F\u2E80-\uFFEF]/
const NARROW = /[ijlt.,:;'’|!()[\]fI ]/
const MARK = /[\uFDD0-\uFDEF\u{100000}-\u{10FFFF}]/u
const BROAD = /[mwMW@%—]/
const IN_WORD = /[\p{L}\p{N}]/u

/** Estimates the width of a character, as a share of the size of the type: pdf.js gives that of a run alone. */
function estimateWidth(character: string): number {
  if (MARK.test(character)) return 0
  if (WIDE.test(character)) return 1
  if (NARROW.test(character)) return 0.3
  if (BROAD.test(character)) return 0.85
  return /[A-Z]/.test(character) ? 0.68 : 0.53
}

/**
 * Finds the characters of a box whose middle lies between two places of its line. A word of letters is taken whole or not at all, since
 * its letters' places are an estimate; the characters of Chinese are as wide as each other.
 */
export function findSpan(box: Box, x: number, right: number): Span | undefined {
  if (box.isRtl) return x <= box.x && right >= box.right ? { start: 0, end: box.text.length } : undefined
  const lead = box.text.length - box.text.trimStart().length
  const widths = Array.from(box.text.slice(lead), (character) => ({
    character,
    width: estimateWidth(character),
  }))
  const sum = widths.reduce((total, { width }) => total + width, 0)
  const scale = (box.right - box.x) / (sum || 1)
  const isIn: boolean[] = []
  let at = box.x
  for (const { width } of widths) {
    const middle = at + (width * scale) / 2
    isIn.push(middle >= x && middle <= right)
    at += width * scale
  }
  takeWholeWords(
    widths.map(({ character }) => character),
    isIn,
  )
  const [first, last] = [isIn.indexOf(true), isIn.lastIndexOf(true)]
  if (first < 0) return undefined
  const lengthTo = (index: number): number =>
    widths.slice(0, index).reduce((total, { character }) => total + character.length, lead)
  return { start: lengthTo(first), end: lengthTo(last + 1) }
}

function takeWholeWords(characters: string[], isIn: boolean[]): void {
  for (let start = 0; start < characters.length;) {
    let end = start
    while (end < characters.length && IN_WORD.test(characters[end]!) && !WIDE.test(characters[end]!)) end++
    const count = isIn.slice(start, end).filter(Boolean).length
    if (count) isIn.fill(count * 2 >= end - start, start, end)
    start = Math.max(end, start + 1)
  }
}
