import { formatHeadingNumber, formatItem } from '../office/numbering.ts'
import type { BlockWriter } from '../text/sections.ts'
import { formatTable } from '../text/markdown.ts'
import { formatRows } from './word-rows.ts'
import type { WordRow } from './word-rows.ts'
import type { WordParagraph } from './word-text.ts'
import type { ParagraphProperties } from './word-properties.ts'

/** Surroundings of the paragraphs: the numbers of lists, and the texts of the shapes that are anchored at a position. */
export type Surroundings = {
  nextMarker(list: { level: number; id: string }): string
  findLevel(list: number, style: number): number | undefined
  writeShapes(anchors: number[], writer: BlockWriter): void
}

/** Writes paragraphs as headings, lists, tables and blocks of text. */
export function writeBlocks(
  paragraphs: Iterable<WordParagraph>,
  writer: BlockWriter,
  surroundings: Surroundings,
): void {
  let cell: string[] = []
  let innerRow: string[] = []
  let innerCell: string[] = []
  let row: string[] = []
  let rows: WordRow[] = []
  let list: string[] = []
  let anchors: number[] = []
  const flush = (): void => {
    if (row.length || cell.length) rows.push({ cells: [...row, ...(cell.length ? [cell.join('\n')] : [])] })
    const [only] = rows
    // One cell around everything is a frame.
    if (rows.length === 1 && only?.cells.length === 1) writer.block(only.cells[0] ?? '')
    else if (rows.length) writer.block(formatTable(formatRows(rows)))
    if (list.length) writer.block(list.join('\n'))
    ;[rows, row, cell, list] = [[], [], [], []]
    surroundings.writeShapes(anchors, writer)
    anchors = []
  }
  const getMarker = ({ list: id, style, level }: ParagraphProperties): { level: number; marker: string } => {
    const ownLevel = level ?? surroundings.findLevel(id, style) ?? 0
    return { level: ownLevel, marker: surroundings.nextMarker({ id: String(id), level: ownLevel }) }
  }
  /** Formats a paragraph in a cell, where lists are lines. */
  const formatLine = (text: string, properties: ParagraphProperties): string => {
    const marker = text && properties.list ? getMarker(properties).marker : ''
    return marker && marker !== '-' ? `${marker} ${text}` : text
  }
  const addToTable = ({ text, isCell, properties }: WordParagraph): void => {
    if (list.length) flush()
    if (properties.depth > 1) {
      const line = formatLine(text, properties)
      if (properties.isInnerRowEnd) {
        cell.push(innerRow.join(' '))
        innerRow = []
      } else if (line) innerCell.push(line)
      if (properties.isInnerCell) innerRow.push(innerCell.splice(0).join(' '))
      return
    }
    if (isCell && properties.isRowEnd) {
      if (row.length) rows.push({ cells: row, ...(properties.row ? { definition: properties.row } : {}) })
      row = []
      return
    }
    const line = formatLine(text, properties)
    if (line) cell.push(line)
    if (isCell) row.push(cell.splice(0).join('\n'))
  }
  for (const paragraph of paragraphs) {
    const { text, isCell, properties } = paragraph
    if (isCell || properties.depth > 0) {
      addToTable(paragraph)
      anchors.push(...paragraph.anchors)
      continue
    }
    if (rows.length || row.length || cell.length) flush()
    anchors.push(...paragraph.anchors)
    if (text) {
      const { marker, level } = properties.list ? getMarker(properties) : { marker: '', level: 0 }
      if (marker && properties.heading === undefined) list.push(formatItem(level, marker, text))
      else {
        const held = anchors
        anchors = []
        flush()
        anchors = held
        if (properties.heading === undefined) writer.block(text)
        else writer.heading(properties.heading + 1, formatHeadingNumber(marker) + text)
      }
    }
    if (anchors.length) flush()
  }
  flush()
}
