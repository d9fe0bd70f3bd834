import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatTable } from '../text/markdown.ts'

/** Records of PowerPoint's binary format (MS-PPT 2.13.24) and of its drawings (MS-ODRAW). */
const RECORD = {
  SLIDE_LIST: 0x0ff0,
  SLIDE_PERSIST: 0x03f3,
  TEXT_HEADER: 0x0f9f,
  TEXT_CHARS: 0x0fa0,
  TEXT_BYTES: 0x0fa8,
  OUTLINE_REF: 0x0f9e,
  USER_EDIT: 0x0ff5,
  PERSIST: 0x1772,
  GROUP: 0xf003,
  SHAPE: 0xf004,
  TEXTBOX: 0xf00d,
  CHILD_ANCHOR: 0xf00f,
  ENCRYPTION: 0x2f14,
  NOTES_ATOM: 0x03f1,
  SLIDE_ATOM: 0x03ef,
}
const TITLES = [0, 6]
const MAX_DEPTH = 40

type BinaryRecord = { type: number; instance: number; data: Buffer; isContainer: boolean }
type Text = { kind: number; text: string }

/** Reads slides of PowerPoint 97: titles, texts, tables and notes. */
export async function readPpt({ streams }: Storage, output: Output): Promise<void> {
  const file = streams.get('PowerPoint Document')?.()
  const user = streams.get('Current User')?.()
  if (!file || !user || user.length < 20) throw new AppError('document_damaged')
  const { places, document } = readDirectory(file, user.readUInt32LE(16))
  const lists = children(readRecord(file, document)?.data).filter(({ type }) => type === RECORD.SLIDE_LIST)
  const slides = readSlideList(lists.find(({ instance }) => instance === 0))
  const notes = readNotes(file, places, readSlideList(lists.find(({ instance }) => instance === 2)))
  output.begin('slide', slides.length)
  for (const [index, { persist, id, outline }] of slides.entries()) {
    const slide = readRecord(file, places.get(persist) ?? Infinity)
    const blocks = slide ? formatSlide(slide.data, outline) : outline.map(formatText)
    if (!slide) output.skip('damaged', `第 ${index + 1} 页`, { slide: index + 1 })
    const note = notes.get(id)
    output.add([...blocks, note ? `> 备注：${note}` : ''].filter(Boolean).join('\n\n'), { slide: index + 1 })
    output.endUnit()
  }
}

function readRecord(file: Buffer, at: number): BinaryRecord | undefined {
  if (at + 8 > file.length) return undefined
  const head = file.readUInt16LE(at)
  const length = file.readUInt32LE(at + 4)
  const isContainer = (head & 0xf) === 0xf
  return {
    type: file.readUInt16LE(at + 2),
    instance: head >> 4,
    data: file.subarray(at + 8, at + 8 + length),
    isContainer,
  }
}

function children(data: Buffer | undefined): BinaryRecord[] {
  const records: BinaryRecord[] = []
  for (let at = 0; data && at + 8 <= data.length; at += 8 + data.readUInt32LE(at + 4)) {
    const record = readRecord(data, at)
    if (record) records.push(record)
  }
  return records
}

function findAll(data: Buffer, type: number, depth = 0): BinaryRecord[] {
  if (depth > MAX_DEPTH) return []
  return children(data).flatMap((record) =>
    record.type === type ? [record] : record.isContainer ? findAll(record.data, type, depth + 1) : [],
  )
}

/** Finds the newest place of each object, and that of the document. Each edit refers to the one before it. */
function readDirectory(file: Buffer, newest: number): { places: Map<number, number>; document: number } {
  const places = new Map<number, number>()
  let document = 0
  const visitedOffsets = new Set<number>()
  for (let at = newest; at && !visitedOffsets.has(at);) {
    visitedOffsets.add(at)
    const edit = readRecord(file, at)
    if (edit?.type !== RECORD.USER_EDIT || edit.data.length < 28) break
    // An edit that names a key to its encryption is longer.
    if (edit.data.length >= 32 && edit.data.readUInt32LE(28) !== 0) throw new AppError('document_encrypted')
    document ||= edit.data.readUInt32LE(16)
    const directory = readRecord(file, edit.data.readUInt32LE(12))?.data ?? Buffer.alloc(0)
    for (let entry = 0; entry + 4 <= directory.length;) {
      const head = directory.readUInt32LE(entry)
      const [first, count] = [head & 0xfffff, head >>> 20]
      for (let index = 0; index < count && entry + 8 + index * 4 <= directory.length; index++) {
        if (!places.has(first + index))
          places.set(first + index, directory.readUInt32LE(entry + 4 + index * 4))
      }
      entry += 4 + count * 4
    }
    at = edit.data.readUInt32LE(8)
  }
  const place = places.get(document)
  if (place === undefined) throw new AppError('document_damaged')
  return { places, document: place }
}

type ListedSlide = { persist: number; id: number; outline: Text[] }

/** Reads the slides in their order, with the texts of their outline. */
function readSlideList(list: BinaryRecord | undefined): ListedSlide[] {
  const slides: ListedSlide[] = []
  let kind = 4
  for (const { type, data } of children(list?.data)) {
    if (type === RECORD.SLIDE_PERSIST && data.length >= 16) {
      slides.push({ persist: data.readUInt32LE(0), id: data.readUInt32LE(12), outline: [] })
    } else if (type === RECORD.TEXT_HEADER) kind = data.length >= 4 ? data.readUInt32LE(0) : 4
    const text = decodeText(type, data)
    if (text !== undefined) slides.at(-1)?.outline.push({ kind, text })
  }
  return slides
}

function decodeText(type: number, data: Buffer): string | undefined {
  if (type === RECORD.TEXT_CHARS) return data.toString('utf16le')
  return type === RECORD.TEXT_BYTES ? new TextDecoder('windows-1252').decode(data) : undefined
}

function readNotes(file: Buffer, places: Map<number, number>, notes: ListedSlide[]): Map<number, string> {
  const notesBySlide = new Map<number, string>()
  for (const { persist, outline } of notes) {
    const record = readRecord(file, places.get(persist) ?? Infinity)
    const atom = children(record?.data).find(({ type }) => type === RECORD.NOTES_ATOM)
    if (!record || !atom || atom.data.length < 4) continue
    const texts = findAll(record.data, RECORD.TEXTBOX).flatMap(({ data }) => readTexts(data, outline))
    const noteTexts = texts.filter(({ kind }) => kind === 2).map(({ text }) => clean(text))
    if (noteTexts.join('').trim())
      notesBySlide.set(atom.data.readUInt32LE(0), escapeText(noteTexts.join(' ').replace(/\s+/g, ' ').trim()))
  }
  return notesBySlide
}

/** Reads the texts of a shape: its own, or those of the outline to which it refers. */
function readTexts(box: Buffer, outline: Text[]): Text[] {
  const texts: Text[] = []
  let kind = 4
  for (const { type, data } of children(box)) {
    if (type === RECORD.TEXT_HEADER && data.length >= 4) kind = data.readUInt32LE(0)
    const listed = type === RECORD.OUTLINE_REF && data.length >= 4 ? outline[data.readUInt32LE(0)] : undefined
    if (listed) texts.push(listed)
    const text = decodeText(type, data)
    if (text !== undefined) texts.push({ kind, text })
  }
  return texts
}

function formatSlide(slide: Buffer, outline: Text[]): string[] {
  const titles: string[] = []
  const blocks: string[] = []
  const walk = (data: Buffer, depth: number): void => {
    if (depth > MAX_DEPTH) return
    for (const record of children(data)) {
      if (record.type === RECORD.GROUP) {
        const table = depth > 2 ? readTable(record.data, outline) : undefined
        if (table) blocks.push(table)
        else walk(record.data, depth + 1)
      } else if (record.type === RECORD.TEXTBOX) {
        for (const text of readTexts(record.data, outline))
          (TITLES.includes(text.kind) ? titles : blocks).push(formatText(text))
      } else if (record.isContainer) walk(record.data, depth + 1)
    }
  }
  walk(slide, 0)
  return [...titles, ...blocks].filter(Boolean)
}

const clean = (text: string): string => text.replaceAll('\u000B', '\n').replace(/[^\P{Cc}\n\r\t]/gu, '')

function formatText({ kind, text }: Text): string {
  const lines = clean(text)
    .split(/\r/)
    .map((line) => escapeText(line.trim()))
    .filter(Boolean)
  if (TITLES.includes(kind)) return lines.length ? formatHeading(1, lines.join(' ')) : ''
  // The body of a layout is a list.
  const isList = kind === 1 || kind >= 5
  return lines.map((line) => (isList ? `- ${line.replaceAll('\n', ' ')}` : line)).join(isList ? '\n' : '\n\n')
}

/** Reads a table, which is a group of adjacent shapes: the edges of its cells give the rows and columns. */
function readTable(group: Buffer, outline: Text[]): string | undefined {
  const cells = children(group)
    .filter(({ type }) => type === RECORD.SHAPE)
    .flatMap(({ data }) => {
      const anchor = findAll(data, RECORD.CHILD_ANCHOR)[0]?.data
      const box = findAll(data, RECORD.TEXTBOX)[0]?.data
      if (!anchor || anchor.length < 16 || !box) return []
      const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => anchor.readInt32LE(at))
      const text = readTexts(box, outline).map((each) =>
        escapeText(clean(each.text).replaceAll('\r', '\n').trim()),
      )
      return [{ left, top, right, bottom, text: text.join('\n') }]
    })
  const sort = (values: number[]): number[] => [...new Set(values)].sort((one, other) => one - other)
  const columns = sort(cells.map(({ left }) => left))
  const rows = sort(cells.map(({ top }) => top))
  if (columns.length < 2 || rows.length < 2 || cells.length * 3 < columns.length * rows.length)
    return undefined
  return formatTable(
    rows.map((top) =>
      columns.map(
        (left) =>
          cells.find((cell) => cell.left <= left && cell.right > left && cell.top <= top && cell.bottom > top)
            ?.text ?? '',
      ),
    ),
  )
}
