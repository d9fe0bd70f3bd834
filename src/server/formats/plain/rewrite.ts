import type { Place } from '#contract/readings.ts'
import { decodeText } from '../text/encoding.ts'
import { readLines } from '../text/lines.ts'
import type { Line } from '../text/lines.ts'
import type { Node, Part, Syntax } from '../rewriting/blocks.ts'
import { Draft } from '../rewriting/draft.ts'
import type { Opened } from '../rewriting/draft.ts'
import { encodeText } from '../rewriting/encoding.ts'
import { findMark } from '../rewriting/xml.ts'

type PlainOptions = {
  /** Label of the encoding that the file names. */
  declared?: string | undefined
  /** Changes what a file says of itself once it has translations; `isUtf8`: its own encoding lacks a character. */
  finish?: (source: string, isUtf8: boolean) => string
}

/** Opens a file of plain text. Where its encoding lacks a character, all of it is written as UTF-8. */
export function openPlain(
  bytes: Buffer,
  format: string,
  syntax: Syntax,
  add: (part: Part, draft: Draft) => void,
  { declared, finish = (source) => source }: PlainOptions = {},
): Opened {
  const { text, encoding } = decodeText(bytes, declared)
  const mark = findMark(bytes)
  const part = { source: text, syntax }
  const draft = new Draft()
  add(part, draft)
  return {
    format,
    draft,
    write(changed) {
      const source = changed.get(part)
      if (source === undefined) return bytes
      const encoded = encodeText(finish(source, false), encoding)
      return encoded ? Buffer.concat([mark, encoded]) : Buffer.from(finish(source, true))
    },
  }
}

/** Columns from which a line may be part of a paragraph that was broken to fit a page. */
const MIN_WRAPPED_COLUMNS = 45

/** Opens plain text: each line is a text; lines that were broken to fit are one, whose translation is broken alike. */
export const openTxt = (bytes: Buffer): Opened =>
  openPlain(bytes, 'txt', { write: (text) => text }, (part, draft) => {
    const { source } = part
    const lines = readLines(source)
    for (let at = 0; at < lines.length; at++) {
      const first = at
      while (at + 1 < lines.length && isWrapped(lines[at]!.text, lines[at + 1]!.text)) at++
      const group = lines.slice(first, at + 1)
      const [{ start, eol } = { start: 0, eol: '\n' }] = group
      const end = group.at(-1)?.end ?? start
      const place = { line: first + 1 }
      const beside = { at: end, open: eol, close: '' }
      if (group.length === 1)
        draft.add(part, [{ kind: 'text', start, end, text: source.slice(start, end) }], place, { beside })
      else {
        const text = group.map((line) => line.text.trim()).join(' ')
        const write = (translation: string, raw: string): string =>
          raw
            ? breakLines(
                translation,
                group.map((line) => /^\s*/.exec(line.text)?.[0] ?? ''),
                eol,
              )
            : translation
        draft.add(part, [{ kind: 'text', start, end, text }], place, { beside, syntax: { write } })
      }
    }
  })

const countColumns = (text: string): number =>
  text.length + (text.match(/[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFF60]/g)?.length ?? 0)

function isWrapped(line: string, next: string): boolean {
  const isFull = countColumns(line) >= MIN_WRAPPED_COLUMNS && countColumns(line) <= 120
  const goesOn = /^\s{0,8}[\p{Ll}\p{Lo}"“(（]/u.test(next) || /[\p{Ll}\p{Lo},，、;；-]\s*$/u.test(line)
  return (
    isFull && goesOn && /\p{L}/u.test(line) && next.trim() !== '' && !/^\s*([-*•#>|]|\d+[.)、])/.test(next)
  )
}

/** Breaks a text into as many lines as there were, of about the same length. */
function breakLines(text: string, indents: string[], eol: string): string {
  const characters = Array.from(text)
  const lines: string[] = []
  let at = 0
  for (const [index, indent] of indents.entries()) {
    const remaining = indents.length - index
    let end = remaining === 1 ? characters.length : at + Math.ceil((characters.length - at) / remaining)
    // Words are not cut; between Chinese characters a line may end, but none begins with a full stop.
    while (
      end < characters.length &&
      /[^\s\u2E80-\u9FFF]/.test(characters[end] ?? '') &&
      !/[\s\u2E80-\u3000]/.test(characters[end - 1] ?? '')
    )
      end++
    lines.push(indent + characters.slice(at, end).join('').trim())
    at = end
  }
  return lines.join(eol)
}

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/

/** Opens subtitles: the text of each cue; numbers, times, styles and notes stay. */
export const openSubtitles = (bytes: Buffer, _name: string, format: string): Opened =>
  openPlain(bytes, format, cueSyntax(format), (part, draft) => {
    const lines = readLines(part.source)
    for (let at = 0; at < lines.length; at++) {
      const [, start, end] = TIMES.exec(lines[at]?.text ?? '') ?? []
      if (!start || !end) continue
      const cue: Line[] = []
      for (let line = lines[at + 1]; line?.text.trim(); line = lines[at + 1 + cue.length]) {
        const isNumber = /^\s*\d+\s*$/.test(line.text) && TIMES.test(lines[at + 2 + cue.length]?.text ?? '')
        if (isNumber || TIMES.test(line.text)) break
        cue.push(line)
      }
      const last = cue.at(-1)
      if (!last) continue
      const place: Place = { start_ms: parseTime(start), end_ms: parseTime(end) }
      draft.add(part, readCue(part.source, cue), place, {
        beside: { at: last.end, open: last.eol, close: '' },
      })
      at += cue.length
    }
  })

/** Reads a cue's lines: tags of fonts and voices are groups, a line break is one thing. */
function readCue(source: string, cue: Line[]): Node[] {
  type Open = { name: string; start: number; tag: string; inner: Node[] }
  const nodes: Node[] = []
  let open: Open[] = []
  const level = (): Node[] => open.at(-1)?.inner ?? nodes
  const start = cue[0]?.start ?? 0
  const raw = source.slice(start, cue.at(-1)?.end)
  let at = 0
  const addText = (end: number): void => {
    const text = raw.slice(at, end)
    if (text) level().push({ kind: 'text', start: start + at, end: start + end, text: decodeCue(text) })
  }
  for (const { 0: token, index } of raw.matchAll(
    /<(\/?)([a-z][^\s.<>]*)[^<>]*>|<[\d:.]+>|\{\\[^{}]*\}|\r\n?|\n/gi,
  )) {
    addText(index)
    at = index + token.length
    const range = { start: start + index, end: start + at }
    const [, slash, name = ''] = /^<(\/?)([a-z][^\s.<>]*)/i.exec(token) ?? []
    if (!name) level().push({ kind: 'fixed', ...range, copied: /^[\r\n]/.test(token) })
    else if (!slash) open.push({ name, start: range.start, tag: token, inner: [] })
    else {
      const from = open.findLastIndex((each) => each.name === name)
      if (from < 0) continue
      const element = open[from]!
      const inner = open.slice(from).flatMap((each) => each.inner)
      open = open.slice(0, from)
      level().push({
        kind: 'group',
        start: element.start,
        end: range.end,
        inner,
        copy: { open: element.tag, close: token },
      })
    }
  }
  addText(raw.length)
  // A voice lasts to the end of its cue.
  return [...nodes, ...open.flatMap(({ inner }) => inner)]
}

const CUE_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00A0' }
const decodeCue = (text: string): string =>
  text.replace(/&(amp|lt|gt|nbsp);/g, (_, name: string) => CUE_ENTITIES[name] ?? '')
/** An empty line would end a cue, and an arrow would begin one. */
const cueSyntax = (format: string): Syntax => ({
  write(text) {
    const line = text.replace(/\s*[\r\n]\s*/g, ' ').replaceAll('-->', '→')
    return format === 'vtt'
      ? line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      : line
  },
})

function parseTime(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.replace(',', '.').split(':').reverse().map(Number)
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
}
