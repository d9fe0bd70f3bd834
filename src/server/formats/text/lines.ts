/** A line of a text without its end, from 1; `next` is the offset of the line behind it. */
export type Line = { text: string; start: number; end: number; eol: string; line: number; next: number }

/** Splits a text into lines, without their ends. */
export function readLines(source: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const { 0: eol, index } of source.matchAll(/\r\n?|\n|$/g)) {
    if (index < start) continue
    const next = index + eol.length
    lines.push({
      text: source.slice(start, index),
      start,
      end: index,
      eol: eol || '\n',
      line: lines.length + 1,
      next,
    })
    start = next
    if (!eol) break
  }
  return lines
}
