import { readLines } from '../text/lines.ts'

/** A line of dialogue: the range of its text, its times, and who speaks. */
export type Dialogue = {
  line: number
  start: number
  end: number
  eol: string
  start_ms: number
  end_ms: number
  name: string
}

/** Fields of an event before a file names them (SSA v4+ specification). */
const FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']

/** Parses the dialogue of SSA and ASS; the text is the last field, which may have commas. Comments are none. */
export function parseDialogue(source: string): Dialogue[] {
  const found: Dialogue[] = []
  let section = ''
  let fields = FIELDS
  for (const { text, start, end, eol, line } of readLines(source)) {
    const heading = /^\s*\[([^\]]+)\]\s*$/.exec(text)?.[1]
    if (heading) section = heading.toLowerCase()
    if (section !== 'events') continue
    const format = /^Format\s*:(.*)$/i.exec(text)?.[1]
    if (format) fields = format.split(',').map((field) => field.trim().toLowerCase())
    const head = /^Dialogue\s*:\s*/i.exec(text)?.[0]
    if (head === undefined) continue
    const values: string[] = []
    let at = head.length
    for (let comma = text.indexOf(',', at); comma >= 0; comma = text.indexOf(',', at)) {
      if (values.length === fields.length - 1) break
      values.push(text.slice(at, comma).trim())
      at = comma + 1
    }
    if (values.length < fields.length - 1) continue
    const value = (name: string): string => values[fields.indexOf(name)] ?? ''
    found.push({
      line,
      start: start + at,
      end,
      eol,
      start_ms: parseTime(value('start')),
      end_ms: parseTime(value('end')),
      name: value('name') || value('actor'),
    })
  }
  return found
}

/** Marks in a text: a block of overrides or a comment, a line break, a hard space. */
export const MARK = /\{[^{}]*\}|\\[Nnh]/g

/** Returns whether the text behind a block of overrides is a drawing, where the block says so (`\p1`, `\p0`). */
export function findDrawing(mark: string): boolean | undefined {
  const scale = [...mark.matchAll(/\\p(\d+)/g)].at(-1)?.[1]
  return scale === undefined ? undefined : Number(scale) > 0
}

function parseTime(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.split(':').reverse().map(Number)
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000) || 0
}
