import { matchFormula } from './formulaSyntax.ts'

/** A piece of a text in which no other syntax counts. `end` is exclusive. */
export type OpaqueSpan = { type: 'code' | 'formula'; start: number; end: number }

/** Marks beyond this number, which no ordinary text reaches, are ignored. */
const MAX_MARKS = 1000

const candidate = /\\[\s\S]|`+|\$+/g

/** Returns the inline code and the formulas of a text in order. Inside them stars, bars, brackets and tags are literal. */
export function findOpaqueSpans(text: string): OpaqueSpan[] {
  const spans: OpaqueSpan[] = []
  // Lengths of backtick runs that have no partner further on.
  const unpaired = new Set<number>()
  candidate.lastIndex = 0
  for (let marks = 0; marks < MAX_MARKS; marks++) {
    const match = candidate.exec(text)
    if (!match) break
    const [mark] = match
    const span = mark.startsWith('`')
      ? readCode(text, match.index, mark, unpaired)
      : readFormula(text, match.index)
    if (span) {
      spans.push(span)
      candidate.lastIndex = span.end
    }
  }
  return spans
}

function readCode(text: string, start: number, ticks: string, unpaired: Set<number>): OpaqueSpan | undefined {
  if (unpaired.has(ticks.length)) return undefined
  const closing = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g')
  closing.lastIndex = start + ticks.length
  const end = closing.exec(text)?.index
  if (end === undefined) {
    unpaired.add(ticks.length)
    return undefined
  }
  return { type: 'code', start, end: end + ticks.length }
}

function readFormula(text: string, start: number): OpaqueSpan | undefined {
  const raw = matchFormula(text, start)?.raw
  return raw === undefined ? undefined : { type: 'formula', start, end: start + raw.length }
}

/** Replaces the code and formulas of a text, each by something of the same length. */
export function maskOpaqueSpans(
  text: string,
  mask: (raw: string, type: OpaqueSpan['type']) => string,
): string {
  let [masked, at] = ['', 0]
  for (const { type, start, end } of findOpaqueSpans(text)) {
    masked += text.slice(at, start) + mask(text.slice(start, end), type)
    at = end
  }
  return masked + text.slice(at)
}

/** Replaces the code and formulas of a text with blanks. */
export const blankOpaqueSpans = (text: string): string =>
  maskOpaqueSpans(text, (raw) => ' '.repeat(raw.length))
