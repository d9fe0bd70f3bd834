import { addMarks, escapeText } from './markdown.ts'

/** Marks of characters that change what they mean. */
export type TextMarks = { script: 'sup' | 'sub' | ''; isStruckOut: boolean }

export const PLAIN: TextMarks = { script: '', isStruckOut: false }

type Piece = TextMarks & { text: string; isMarkdown?: boolean }

/** Gathers the characters of a paragraph; adjacent ones with the same marks are marked together. */
export class MarkedText {
  private pieces: Piece[] = []

  add(text: string, { script, isStruckOut }: TextMarks = PLAIN): void {
    const last = this.pieces.at(-1)
    if (last && !last.isMarkdown && last.script === script && last.isStruckOut === isStruckOut)
      last.text += text
    else if (text) this.pieces.push({ text, script, isStruckOut })
  }

  /** Adds text that is Markdown already. */
  addMarkdown(text: string): void {
    this.pieces.push({ ...PLAIN, text, isMarkdown: true })
  }

  /** Returns what was gathered as Markdown, and begins anew. */
  take(): string {
    const text = this.pieces.map(formatPiece).join('').trim()
    this.pieces = []
    return text
  }
}

function formatPiece({ text, script, isStruckOut, isMarkdown }: Piece): string {
  if (isMarkdown) return text
  return addMarks(escapeText(text), { script, isStruckOut })
}
