import { escapeText, formatScript, formatTable } from '../text/markdown.ts'
import type { BlockWriter } from '../text/sections.ts'

/** Marks of characters that change what they mean. */
export type TextMarks = { script: 'sup' | 'sub' | ''; isStruckOut: boolean }

type Block = { heading?: number; text: string }

const BULLET = /^[•·∙▪●○◦\uF0B7-]\s*/
const NUMBER = /^\d+[.)](?=\s)/

/** A text that flows: the document's own, or that of a header, a note or a box. It becomes blocks, paragraph by paragraph. */
export class Flow {
  readonly blocks: Block[] = []
  /** Texts that stand beside the paragraph: boxes and comments. */
  readonly aside: Block[] = []
  private pieces: (TextMarks & { text: string })[] = []
  private inTable = false
  private heading = 0
  private isItem = false
  private level = 0
  private row: string[] = []
  private rows: string[][] = []

  add(text: string, { script, isStruckOut }: TextMarks): void {
    const last = this.pieces.at(-1)
    if (last && last.script === script && last.isStruckOut === isStruckOut) last.text += text
    else if (text) this.pieces.push({ text, script, isStruckOut })
  }

  /** Obeys a control word that forms paragraphs or tables; other words are for others. */
  control(word: string, value: number | undefined): void {
    if (word === 'par' || word === 'sect' || word === 'page' || word === 'column') this.endParagraph()
    else if (word === 'pard') {
      this.inTable = false
      this.isItem = false
      ;[this.heading, this.level] = [0, 0]
    } else if (word === 'intbl') this.inTable = true
    else if (word === 'outlinelevel') this.heading = (value ?? 0) < 9 ? (value ?? 0) + 1 : 0
    else if (word === 'ls') this.isItem = value !== 0
    else if (word === 'ilvl') this.level = Math.min(8, Math.max(0, value ?? 0))
    else if (word === 'cell') {
      this.row.push(this.takeText())
      this.moveAside()
    } else if (word === 'nestcell') this.add('\t', PLAIN)
    else if (word === 'nestrow') this.add('\n', PLAIN)
    else if (word === 'row') {
      if (this.row.length) this.rows.push(this.row)
      this.row = []
    }
  }

  /** Ends the last paragraph and table. */
  end(): void {
    this.inTable = false
    if (this.row.length) this.rows.push(this.row)
    this.row = []
    this.endParagraph()
    this.flushTable()
  }

  /** Ends the text, and returns it in one line. */
  takeLine(): string {
    this.end()
    return this.blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' ')
  }

  write(writer: BlockWriter): void {
    for (const { heading, text } of this.blocks) {
      if (heading) writer.heading(heading, text)
      else writer.block(text)
    }
  }

  private endParagraph(): void {
    if (this.inTable) return this.add('\n', PLAIN)
    const paragraph = this.takeText().replace(/\t+/g, ' ')
    this.flushTable()
    if (paragraph) this.blocks.push(this.toBlock(paragraph))
    this.moveAside()
  }

  private toBlock(paragraph: string): Block {
    if (this.heading) return { heading: this.heading + 1, text: paragraph }
    const number = NUMBER.exec(paragraph)?.[0]
    if (!this.isItem && !number && !BULLET.test(paragraph)) return { text: paragraph }
    const words = paragraph
      .slice(number?.length ?? 0)
      .replace(BULLET, '')
      .trim()
    return { text: `${'  '.repeat(this.level)}${number ?? '-'} ${words}` }
  }

  private moveAside(): void {
    if (this.inTable && !this.row.length) return
    this.blocks.push(...this.aside.splice(0))
  }

  private takeText(): string {
    const text = this.pieces.map(formatPiece).join('').trim()
    this.pieces = []
    return text
  }

  private flushTable(): void {
    if (this.rows.length) this.blocks.push({ text: formatTable(this.rows) })
    this.rows = []
  }
}

export const PLAIN: TextMarks = { script: '', isStruckOut: false }

function formatPiece({ text, script, isStruckOut }: TextMarks & { text: string }): string {
  const escaped = escapeText(text)
  const written = script ? formatScript(escaped, script) : escaped
  const inner = written.trim()
  return isStruckOut && inner ? written.replace(inner, () => `~~${inner}~~`) : written
}
