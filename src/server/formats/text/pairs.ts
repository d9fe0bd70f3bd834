import type { Output } from '../reading/output.ts'
import { escapeText } from './markdown.ts'

/** A text of a program with its translation or its key, by the line where it begins. */
export type Pair = { line: number; text: string; other?: string | undefined }

/** A piece has pairs of about this many characters. */
const PIECE_CHARS = 4000

/** Writes pairs as paragraphs: a text, and below it what belongs to it. */
export function writePairs(pairs: Iterable<Pair>, output: Output): void {
  output.begin('section', 1)
  let paragraphs: string[] = []
  let [chars, firstLine] = [0, 0]
  const end = (): void => {
    if (paragraphs.length) output.add(paragraphs.join('\n\n'), { line: firstLine })
    paragraphs = []
    chars = 0
  }
  for (const { line, text, other } of pairs) {
    if (!text.trim()) continue
    if (chars > PIECE_CHARS) end()
    if (paragraphs.length === 0) firstLine = line
    const paragraph = [text, other]
      .flatMap((each) => (each?.trim() ? escapeText(each.trim()) : []))
      .join('  \n')
    paragraphs.push(paragraph)
    chars += paragraph.length
  }
  end()
  output.endUnit()
}
