import { formatHeadingNumber, formatItem } from '../office/numbering.ts'
import { spreadCells } from '../text/grid.ts'
import type { GridCell } from '../text/grid.ts'
import { flattenTables, formatTable } from '../text/markdown.ts'
import { MarkedText, PLAIN } from '../text/marked-text.ts'
import type { TextMarks } from '../text/marked-text.ts'
import type { BlockWriter } from '../text/sections.ts'

type Block = { heading?: number; isItem?: boolean; text: string }

const BULLET = /^[•·∙▪●○◦‣⁃\uF0B7-]\s*/
/** Bullets of lists in fonts of signs, and dashes. */
const BULLET_MARKER = /^[^\p{L}\p{N}(]*$|^[o§]$/u
const NUMBER = /^\d+[.)](?=\s)/
/** Edges of columns that are not farther apart are one, in twentieths of a point. */
const EDGE_TOLERANCE = 100
const MAX_COLUMNS = 500

/** A column as a row defines it: its right edge, and whether its cell is a part of the one on its left or above it. */
type Column = { right: number; isRight: boolean; isBelow: boolean }

/** A text that flows: the document's own, or that of a header, a note or a box. It becomes blocks, paragraph by paragraph. */
export class Flow {
  readonly blocks: Block[] = []
  /** Texts that stand beside the paragraph: boxes and comments. */
  readonly aside: Block[] = []
  /** The number or the bullet of the paragraph, as the file writes it before its text. */
  private marker = ''
  private readonly text = new MarkedText()
  private inTable = false
  private heading: number | undefined
  private isItem = false
  private level = 0
  private row: string[] = []
  private rows: GridCell[][] = []
  private left = 0
  private columns: Column[] = []
  private merged = { isRight: false, isBelow: false }

  add(text: string, marks: TextMarks = PLAIN): void {
    this.text.add(text, marks)
  }

  addMarkdown(text: string): void {
    this.text.addMarkdown(text)
  }

  setMarker(marker: string): void {
    if (!this.inTable) this.marker = marker
    else if (!BULLET_MARKER.test(marker)) this.addMarkdown(`${marker} `)
  }

  /** Obeys a control word that forms paragraphs or tables; other words are for others. */
  control(word: string, value: number | undefined): void {
    if (word === 'par' || word === 'sect' || word === 'page' || word === 'column') this.endParagraph()
    else if (word === 'pard') {
      ;[this.inTable, this.isItem, this.heading, this.level] = [false, false, undefined, 0]
    } else if (word === 'intbl') this.inTable = true
    else if (word === 'outlinelevel') this.setHeading((value ?? 0) < 9 ? (value ?? 0) + 1 : undefined)
    else if (word === 'ls') this.isItem = value !== 0
    else if (word === 'ilvl') this.level = Math.min(8, Math.max(0, value ?? 0))
    else if (word === 'cell') {
      const marker = BULLET_MARKER.test(this.marker) ? '' : `${this.marker} `
      this.row.push(marker + this.takeText())
      this.marker = ''
      this.moveAside()
    } else if (word === 'nestcell') this.add(' ')
    else if (word === 'nestrow') this.add('\n')
    else if (word === 'row') this.endRow()
    else this.defineColumn(word, value)
  }

  /** Makes the paragraph a heading; 0 is the title. */
  setHeading(level: number | undefined): void {
    this.heading = level
  }

  /** Ends the last paragraph and table. */
  end(): void {
    this.inTable = false
    this.endRow()
    this.endParagraph()
    this.flushTable()
  }

  /** Ends the text, and returns it as Markdown in one line. */
  takeLine(): string {
    this.end()
    return this.blocks.map(({ text }) => flattenTables(text).replaceAll('\n', ' ')).join(' ')
  }

  write(writer: BlockWriter): void {
    for (const { heading, text } of this.blocks) {
      if (heading) writer.heading(heading, text)
      else writer.block(text)
    }
  }

  /** A row is defined by its left edge and by the right one of each cell, behind the marks of the cell. */
  private defineColumn(word: string, value = 0): void {
    if (word === 'trowd') [this.left, this.columns] = [0, []]
    else if (word === 'trleft') this.left = value
    else if (word === 'clmrg') this.merged.isRight = true
    else if (word === 'clvmrg') this.merged.isBelow = true
    else if (word === 'cellx') {
      if (this.columns.length < MAX_COLUMNS) this.columns.push({ right: value, ...this.merged })
      this.merged = { isRight: false, isBelow: false }
    }
  }

  private endRow(): void {
    if (!this.row.length) return
    const isDefined = this.columns.length === this.row.length
    const cells: GridCell[] = []
    for (const [index, text] of this.row.entries()) {
      const column = isDefined ? this.columns[index]! : { right: index + 1, isRight: false, isBelow: false }
      const previous = cells.at(-1)
      if (column.isRight && previous && !text) previous.right = column.right
      else {
        const left = previous?.right ?? Math.min(isDefined ? this.left : 0, column.right)
        cells.push({ left, right: column.right, text, isBelow: column.isBelow && !text })
      }
    }
    this.rows.push(isDefined ? cells : cells.map((cell) => ({ ...cell, left: NaN })))
    this.row = []
  }

  private endParagraph(): void {
    if (this.inTable) return this.add('\n')
    const paragraph = this.takeText()
    this.flushTable()
    if (paragraph) this.addBlock(paragraph)
    this.marker = ''
    this.moveAside()
  }

  private addBlock(paragraph: string): void {
    const { marker } = this
    if (this.heading !== undefined) {
      const number = BULLET_MARKER.test(marker) ? '' : formatHeadingNumber(marker)
      this.blocks.push({ heading: this.heading + 1, text: number + paragraph })
      return
    }
    const typed = marker ? '' : (NUMBER.exec(paragraph)?.[0] ?? '')
    if (!marker && !this.isItem && !typed && !BULLET.test(paragraph)) {
      this.blocks.push({ text: paragraph })
      return
    }
    const words = typed
      ? paragraph.slice(typed.length).trim()
      : marker
        ? paragraph
        : paragraph.replace(BULLET, '')
    const text = formatItem(this.level, typed || (BULLET_MARKER.test(marker) ? '-' : marker), words)
    const last = this.blocks.at(-1)
    if (last?.isItem) last.text += `\n${text}`
    else this.blocks.push({ text, isItem: true })
  }

  private moveAside(): void {
    if (this.inTable && !this.row.length) return
    this.blocks.push(...this.aside.splice(0))
  }

  private takeText(): string {
    return this.text.take().replace(/\t+/g, ' ').replace(/ +\n/g, '\n')
  }

  private flushTable(): void {
    const [first] = this.rows
    if (!first) return
    const isMeasured = this.rows.every((row) => row.every(({ left }) => !Number.isNaN(left)))
    const cells = isMeasured
      ? spreadCells(this.rows, EDGE_TOLERANCE)
      : this.rows.map((row) => row.map(({ text }) => text))
    // One cell around everything is a frame.
    const isFrame = this.rows.length === 1 && first.length === 1
    this.blocks.push({ text: isFrame ? first[0]!.text : formatTable(cells) })
    this.rows = []
  }
}
