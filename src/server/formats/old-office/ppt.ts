import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatTable } from '../text/markdown.ts'
import { children, findAll, readRecord, readShapes } from './drawings.ts'
import type { BinaryRecord } from './drawings.ts'
import { readTexts, TextRecords } from './ppt-text.ts'
import type { SlideText } from './ppt-text.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** Records of PowerPoint's binary format (MS-PPT 2.13.24) and of its drawings (MS-ODRAW). */
const RECORD = {
  SLIDE_LIST: 0x0ff0,
  SLIDE_PERSIST: 0x03f3,
  USER_EDIT: 0x0ff5,
  PERSIST: 0x1772,
  GROUP: 0xf003,
  SHAPE: 0xf004,
  TEXTBOX: 0xf00d,
  CHILD_ANCHOR: 0xf00f,
  ENCRYPTION: 0x2f14,
  NOTES_ATOM: 0x03f1,
  SLIDE_SHOW: 0x03f9,
  HEADERS: 0x0fd9,
  STRING: 0x0fba,
  TAG_DATA: 0x138b,
  COMMENT: 0x2ee0,
}
const TITLES = [0, 6]
const MAX_DEPTH = 40
/** Headers and footers of the pages of notes. */
const NOTES_HEADERS = 4

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
  const documentEdges = readEdges(readRecord(file, document)?.data)
  /** Texts that stand on each slide; each is read once. */
  const repeated = new Set<string>()
  for (const [index, { persist, id, records }] of slides.entries()) {
    const place = { slide: index + 1 }
    const slide = readRecord(file, places.get(persist) ?? Infinity)
    const blocks = slide ? formatSlide(slide.data, records.texts) : records.texts.map(formatText)
    if (!slide) output.skip('damaged', `第 ${index + 1} 页`, place)
    if (isHidden(slide)) output.skip('hidden', `第 ${index + 1} 页`, place)
    const edges = readEdges(slide?.data)
    for (const edge of edges.length ? edges : documentEdges) {
      if (!repeated.has(edge)) blocks.push(edge)
      repeated.add(edge)
    }
    for (const { isPicture, art, description } of readShapes(
      slide?.data ?? Buffer.alloc(0),
    ).shapes.values()) {
      if (art) blocks.push(escapeText(art))
      if (isPicture) output.skip('picture', description || '图片', place)
    }
    const note = notes.get(id)
    if (note) blocks.push(`> 备注：${note}`)
    output.add([...blocks, ...readComments(slide?.data)].filter(Boolean).join('\n\n'), place)
    output.endUnit()
  }
}

/** Tells whether a slide is left out of the show (MS-PPT 2.6.6). */
const isHidden = (slide: BinaryRecord | undefined): boolean =>
  children(slide?.data).some(
    ({ type, data }) => type === RECORD.SLIDE_SHOW && data.length >= 12 && (data.readUInt16LE(10) & 4) !== 0,
  )

/** Reads the date, the header and the footer of slides, for one of them or for all. */
const readEdges = (data: Buffer | undefined): string[] =>
  children(data)
    .filter(({ type, instance }) => type === RECORD.HEADERS && instance !== NOTES_HEADERS)
    .flatMap((edges) => children(edges.data))
    .filter(({ type }) => type === RECORD.STRING)
    .map((text) => escapeText(decodeUtf16(text.data).trim()))
    .filter((text) => /\p{L}/u.test(text))

/** Reads the comments of a slide, which newer programs put among data that old ones pass over. */
const readComments = (data: Buffer | undefined): string[] =>
  findAll(data ?? Buffer.alloc(0), RECORD.TAG_DATA)
    .flatMap((tag) => findAll(tag.data, RECORD.COMMENT))
    .flatMap((comment) =>
      children(comment.data).filter(({ type, instance }) => type === RECORD.STRING && instance === 1),
    )
    .map((text) => decodeUtf16(text.data).trim())
    .filter(Boolean)
    .map((text) => `> 批注：${escapeText(text)}`)

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

type ListedSlide = { persist: number; id: number; records: TextRecords }

/** Reads the slides in their order, with the texts of their outline. */
function readSlideList(list: BinaryRecord | undefined): ListedSlide[] {
  const slides: ListedSlide[] = []
  for (const { type, data } of children(list?.data)) {
    if (type === RECORD.SLIDE_PERSIST && data.length >= 16) {
      const records = new TextRecords()
      slides.push({ persist: data.readUInt32LE(0), id: data.readUInt32LE(12), records })
    } else slides.at(-1)?.records.take(type, data)
  }
  return slides
}

function readNotes(file: Buffer, places: Map<number, number>, notes: ListedSlide[]): Map<number, string> {
  const notesBySlide = new Map<number, string>()
  for (const { persist, records } of notes) {
    const record = readRecord(file, places.get(persist) ?? Infinity)
    const atom = children(record?.data).find(({ type }) => type === RECORD.NOTES_ATOM)
    if (!record || !atom || atom.data.length < 4) continue
    const texts = findAll(record.data, RECORD.TEXTBOX).flatMap(({ data }) => readTexts(data, records.texts))
    const noteTexts = texts.filter(({ kind }) => kind === 2).map(({ text }) => text)
    if (noteTexts.join('').trim())
      notesBySlide.set(atom.data.readUInt32LE(0), noteTexts.join(' ').replace(/\s+/g, ' ').trim())
  }
  return notesBySlide
}

function formatSlide(slide: Buffer, outline: SlideText[]): string[] {
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

function formatText({ kind, text }: SlideText): string {
  // An asterisk alone is where the date, the number or the footer of the slide stands.
  const lines = text
    .split(/\r/)
    .map((line) => line.trim())
    .filter((line) => line && line !== '*')
  if (TITLES.includes(kind)) return lines.length ? formatHeading(1, lines.join(' ')) : ''
  // The body of a layout is a list.
  const isList = kind === 1 || kind >= 5
  return lines.map((line) => (isList ? `- ${line.replaceAll('\n', ' ')}` : line)).join(isList ? '\n' : '\n\n')
}

/** Reads a table, which is a group of adjacent shapes: the edges of its cells give the rows and columns. */
function readTable(group: Buffer, outline: SlideText[]): string | undefined {
  const cells = children(group)
    .filter(({ type }) => type === RECORD.SHAPE)
    .flatMap(({ data }) => {
      const anchor = findAll(data, RECORD.CHILD_ANCHOR)[0]?.data
      const box = findAll(data, RECORD.TEXTBOX)[0]?.data
      if (!anchor || anchor.length < 16 || !box) return []
      const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => anchor.readInt32LE(at))
      const text = readTexts(box, outline).map((each) => each.text.replaceAll('\r', '\n').trim())
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
