import { escapeText, formatRange } from '../text/markdown.ts'
import { formatEdge } from '../xlsx/surroundings.ts'
import { RECORD } from './biff-records.ts'
import type { BiffRecord } from './biff-records.ts'
import { readShortString } from './biff-strings.ts'
import { decodeBytes, decodeUtf16 } from '../text/byte-decoder.ts'

/** Objects by their kinds (MS-XLS 2.5.143). */
const PICTURE = 8
const COMMENT = 25
const HIDDEN_ROW = 0x20
/** Texts over the cells of a sheet that are read. */
const MAX_TEXTS = 5000

type Text = { text: string; range?: string }

/** Texts over and around the cells of a sheet, by its records. */
export type Surroundings = {
  hiddenRows: number[]
  hasPicture: boolean
  take(record: BiffRecord): void
  /** Returns comments, texts of boxes and charts, headers and footers as Markdown. */
  takeTexts(): Text[]
}

export function createSurroundings(file: { codepage: string; isUnicode: boolean }): Surroundings {
  const boxes: { id: number; isComment: boolean; text: string }[] = []
  const comments: { id: number; cell: string; text: string }[] = []
  const edges = new Set<string>()
  const charts: string[][] = []
  let chart: string[] = []
  let object = { id: 0, kind: 0 }
  const surroundings: Surroundings = {
    hiddenRows: [],
    hasPicture: false,
    take({ type, data, parts }) {
      if (type === RECORD.OBJ && data.length >= 8) {
        object = { kind: data.readUInt16LE(4), id: data.readUInt16LE(6) }
        if (object.kind === PICTURE) surroundings.hasPicture = true
      } else if (type === RECORD.TXO && data.length >= 12) {
        const text = readContinued(parts, data.readUInt16LE(10)).trim()
        if (text && boxes.length < MAX_TEXTS)
          boxes.push({ id: object.id, isComment: object.kind === COMMENT, text })
      } else if (type === RECORD.NOTE && data.length >= 8) {
        const [row, column] = [data.readUInt16LE(0), data.readUInt16LE(2)]
        const [cell = ''] = formatRange(row, column, row, column).split(':')
        // Before Unicode the comment itself stood here.
        const text = file.isUnicode ? '' : decodeBytes(data.subarray(6), file.codepage).text
        if (comments.length < MAX_TEXTS) comments.push({ id: data.readUInt16LE(6), cell, text })
      } else if (type === RECORD.ROW && data.length >= 14) {
        if (data.readUInt16LE(12) & HIDDEN_ROW) surroundings.hiddenRows.push(data.readUInt16LE(0) + 1)
      } else if (type === RECORD.HEADER || type === RECORD.FOOTER) {
        const code = readShortString(data, 0, file, file.isUnicode ? 2 : 1)
        edges.add(formatEdge(type === RECORD.HEADER ? 'oddHeader' : 'oddFooter', code) ?? '')
      } else if (type === RECORD.SERIESTEXT) {
        const text = readShortString(data, 2, file, 1).trim()
        if (text && !chart.includes(text) && chart.length < 100) chart.push(text)
      } else if (type === RECORD.EOF && chart.length) {
        charts.push(chart)
        chart = []
      }
    },
    takeTexts() {
      const byObject = new Map(boxes.filter(({ isComment }) => isComment).map(({ id, text }) => [id, text]))
      const notes = comments.flatMap(({ id, cell, text }): Text[] => {
        const note = text || byObject.get(id)
        byObject.delete(id)
        return note ? [{ text: `> 批注 ${cell}：${escapeText(note)}`, range: cell }] : []
      })
      const lost = [...byObject.values()].map((text) => ({ text: `> 批注：${escapeText(text)}` }))
      return [
        ...notes,
        ...lost,
        ...boxes.filter(({ isComment }) => !isComment).map(({ text }) => ({ text: escapeText(text) })),
        ...charts.map((texts) => ({ text: `图表：${escapeText(texts.join('、'))}` })),
        ...[...edges].filter(Boolean).map((text) => ({ text })),
      ]
    },
  }
  return surroundings
}

/** Reads the text of an object from the records that continue it; each says anew whether its characters are wide. */
function readContinued(parts: Buffer[], length: number): string {
  let text = ''
  for (const part of parts.slice(1)) {
    const left = length - text.length
    if (left <= 0) break
    const isWide = Boolean((part[0] ?? 0) & 1)
    const end = Math.min(part.length, 1 + left * (isWide ? 2 : 1))
    text += isWide ? decodeUtf16(part, 1, end) : part.toString('latin1', 1, end)
  }
  return text
}
