import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { escapeText } from '../text/markdown.ts'
import { findDrawing, MARK, parseDialogue } from './ass.ts'

type Cue = { start_ms: number; end_ms: number; text: string }

/** Cues of SubRip and WebVTT that follow each other closely are one piece of about this many characters. */
const PIECE_CHARS = 600
const MAX_PAUSE_MS = 10_000

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/

export async function readSubtitles({ input }: Document, output: Output): Promise<void> {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  writeCues(parseCues(text), output)
}

/** Reads the dialogue of SSA and ASS without overrides and drawings. */
export async function readAss({ input }: Document, output: Output): Promise<void> {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  let voice = ''
  const cues = parseDialogue(text).flatMap(({ start, end, start_ms, end_ms, name }): Cue[] => {
    const spoken = escapeText(readSpoken(text.slice(start, end)).trim())
    if (!spoken) return []
    const speaker = name && name !== voice ? `**${escapeText(name)}**: ` : ''
    voice = name
    return [{ start_ms, end_ms, text: speaker + spoken }]
  })
  writeCues(cues, output)
}

function readSpoken(raw: string): string {
  let isDrawing = false
  let spoken = ''
  let at = 0
  for (const { 0: mark, index } of raw.matchAll(MARK)) {
    if (!isDrawing) spoken += raw.slice(at, index)
    if (mark.startsWith('\\')) spoken += ' '
    isDrawing = findDrawing(mark) ?? isDrawing
    at = index + mark.length
  }
  return isDrawing ? spoken : spoken + raw.slice(at)
}

function writeCues(cues: Cue[], output: Output): void {
  output.begin('section', 1)
  let group: Cue[] = []
  let chars = 0
  const end = (): void => {
    const [first] = group
    const last = group.at(-1)
    if (first && last) {
      output.add(group.map((cue) => cue.text).join('\n\n'), { start_ms: first.start_ms, end_ms: last.end_ms })
    }
    group = []
    chars = 0
  }
  for (const cue of cues) {
    const pause = cue.start_ms - (group.at(-1)?.end_ms ?? cue.start_ms)
    if (chars + cue.text.length > PIECE_CHARS || pause > MAX_PAUSE_MS) end()
    group.push(cue)
    chars += cue.text.length
  }
  end()
  output.endUnit()
}

function parseCues(text: string): Cue[] {
  const cues: Cue[] = []
  let cue: Cue | undefined
  let voice = ''
  const lines = text.split(/\r\n?|\n/)
  for (const [index, line] of lines.entries()) {
    const [, start, end] = TIMES.exec(line) ?? []
    if (start && end) {
      cue = { start_ms: parseTime(start), end_ms: parseTime(end), text: '' }
      voice = ''
      cues.push(cue)
    } else if (!line.trim()) cue = undefined
    // A number before the next times belongs to the next cue, also where the empty line is missing.
    else if (cue && !(/^\d+$/.test(line.trim()) && TIMES.test(lines[index + 1] ?? ''))) {
      const [, name = ''] = /<v(?:\.[^\s>]{0,100})?\s+([^>]{1,100})>/.exec(line) ?? []
      const plain = decodeEntities(line.replace(/<\/?[a-z\d][^<>]*>|\{\\[^{}]*\}/gi, '')).trim()
      const spoken = escapeText(plain)
      if (name && name !== voice) cue.text += `${cue.text ? '\n' : ''}**${name.trim()}**: ${spoken}`
      else cue.text += (cue.text ? ' ' : '') + spoken
      voice = name || voice
    }
  }
  return cues.filter((each) => each.text.trim())
}

function parseTime(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.replace(',', '.').split(':').reverse().map(Number)
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
