import { getLanguage } from '../detect-format.ts'
import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { formatCode } from '../text/markdown.ts'

/** A piece of plain text is about this long, and ends where a line does. */
const PIECE_CHARS = 4000
/** Longest line that may be a heading; in a longer one its end is not worth a search. */
const MAX_HEADING_CHARS = 500

export async function readPlain(document: Document, output: Output): Promise<void> {
  writeLines(decode(document, output), output, (text) => text)
}

export async function readCode(document: Document, output: Output): Promise<void> {
  const language = getLanguage(document.name)
  writeLines(decode(document, output), output, (text) => formatCode(text, language))
}

/** Reads JSON; a single line is broken into several, so that a place can be named. */
export async function readJson(document: Document, output: Output): Promise<void> {
  const text = decode(document, output)
  let shownText = text
  try {
    if (!text.trim().includes('\n')) shownText = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // JSON Lines and broken JSON are shown as they are.
  }
  writeLines(shownText, output, (lines) => formatCode(lines, 'json'))
}

/** Reads Markdown in pieces that end at headings. */
export async function readMarkdown(document: Document, output: Output): Promise<void> {
  const text = decode(document, output)
  output.begin('section', 1)
  let headings: { level: number; text: string }[] = []
  let lines: string[] = []
  let firstLine = 1
  let chars = 0
  let fence = ''
  const end = (next: number): void => {
    const heading = headings.map((each) => each.text)
    output.add(lines.join('\n'), { line: firstLine, ...(heading.length ? { heading } : {}) })
    lines = []
    chars = 0
    firstLine = next
  }
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (mark && !fence) fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    const [, marks = '', title = ''] =
      (!fence && line.length < MAX_HEADING_CHARS && /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line)) || []
    const isLong = chars > PIECE_CHARS && !line.trim() && !fence
    if (isLong || (marks && lines.some((each) => each.trim() && !each.startsWith('#')))) end(index + 1)
    if (marks) {
      headings = [
        ...headings.filter(({ level }) => level < marks.length),
        { level: marks.length, text: title },
      ]
      output.title ??= title
    }
    lines.push(line)
    chars += line.length + 1
  }
  end(0)
  output.endUnit()
}

function decode({ input }: Document, output: Output): string {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  return text
}

function writeLines(text: string, output: Output, format: (text: string) => string): void {
  output.begin('section', 1)
  let lines: string[] = []
  let chars = 0
  let firstLine = 1
  const end = (next: number): void => {
    const piece = lines.join('\n')
    if (piece.trim()) output.add(format(piece), { line: firstLine })
    lines = []
    chars = 0
    firstLine = next
  }
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (chars + line.length > PIECE_CHARS && chars > 0) end(index + 1)
    // A book in one line is several pieces of the same line.
    for (let at = 0; at < line.length || at === 0; at += PIECE_CHARS) {
      if (at > 0) end(index + 1)
      lines.push(line.slice(at, at + PIECE_CHARS))
    }
    chars += line.length + 1
  }
  end(0)
  output.endUnit()
}
