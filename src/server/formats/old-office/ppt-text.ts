import { escapeText, formatScript } from '../text/markdown.ts'
import { children } from './drawings.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** Records of text (MS-PPT 2.9). */
const RECORD = {
  OUTLINE_REF: 0x0f9e,
  TEXT_HEADER: 0x0f9f,
  TEXT_CHARS: 0x0fa0,
  TEXT_STYLE: 0x0fa1,
  TEXT_BYTES: 0x0fa8,
}
const OTHER = 4

/** A text of a slide as Markdown, its paragraphs parted by `\r`, and its kind (MS-PPT 2.13.33). */
export type SlideText = { kind: number; text: string }

/** Gathers texts from records that follow each other: kind, characters, then how they look. */
export class TextRecords {
  readonly texts: SlideText[] = []
  private kind = OTHER
  private raw = ''

  take(type: number, data: Buffer): void {
    if (type === RECORD.TEXT_HEADER) this.kind = data.length >= 4 ? data.readUInt32LE(0) : OTHER
    else if (type === RECORD.TEXT_CHARS) this.add(decodeUtf16(data))
    else if (type === RECORD.TEXT_BYTES) this.add(new TextDecoder('windows-1252').decode(data))
    else if (type === RECORD.TEXT_STYLE && this.raw) {
      const last = this.texts.at(-1)
      if (last) last.text = markText(this.raw, data)
      this.raw = ''
    }
  }

  private add(text: string): void {
    this.raw = text
    this.texts.push({ kind: this.kind, text: escapeText(clean(text)) })
  }
}

/** Reads the texts of a shape: its own, or those of the outline to which it refers. */
export function readTexts(box: Buffer, outline: SlideText[]): SlideText[] {
  const records = new TextRecords()
  for (const { type, data } of children(box)) {
    const listed = type === RECORD.OUTLINE_REF && data.length >= 4 ? outline[data.readUInt32LE(0)] : undefined
    if (listed) records.texts.push(listed)
    records.take(type, data)
  }
  return records.texts
}

const clean = (text: string): string => text.replaceAll('\u000B', '\n').replace(/[^\P{Cc}\n\r\t]/gu, '')

/** Bytes of a paragraph's properties by the bits that say whether they are there, in their order (MS-PPT 2.9.20). */
const PARAGRAPH_FIELDS: [mask: number, bytes: number][] = [
  [0xf, 2],
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
]
const TAB_STOPS = 0x100000
const LAST_PARAGRAPH_FIELDS: [mask: number, bytes: number][] = [
  [0x10000, 2],
  [0xe0000, 2],
  [0x200000, 2],
]
/** The same of a character's properties before its position (MS-PPT 2.9.13). */
const CHARACTER_FIELDS: [mask: number, bytes: number][] = [
  [0x3eb7, 2],
  [0x10000, 2],
  [0x200000, 2],
  [0x400000, 2],
  [0x800000, 2],
  [0x20000, 2],
  [0x40000, 4],
]
const POSITION = 0x80000

const sizeOf = (fields: [mask: number, bytes: number][], masks: number): number =>
  fields.reduce((sum, [mask, bytes]) => sum + (masks & mask ? bytes : 0), 0)

/** Writes a text as Markdown with its superscripts and subscripts, by the runs of its characters. */
function markText(text: string, style: Buffer): string {
  const readNumber = (at: number, bytes: 2 | 4): number =>
    at + bytes <= style.length ? style.readUIntLE(at, bytes) : 0
  let at = 0
  // Runs of paragraphs come first; their lengths count the end of the text as a character.
  for (let chars = 0; chars <= text.length && at + 10 <= style.length;) {
    const masks = readNumber(at + 6, 4)
    chars += Math.max(1, readNumber(at, 4))
    at += 10 + sizeOf(PARAGRAPH_FIELDS, masks)
    if (masks & TAB_STOPS) at += 2 + readNumber(at, 2) * 4
    at += sizeOf(LAST_PARAGRAPH_FIELDS, masks)
  }
  let [markdown, from] = ['', 0]
  while (from < text.length && at + 8 <= style.length) {
    const masks = readNumber(at + 4, 4)
    const to = from + Math.max(1, readNumber(at, 4))
    at += 8 + sizeOf(CHARACTER_FIELDS, masks)
    const position = masks & POSITION && at + 2 <= style.length ? style.readInt16LE(at) : 0
    if (masks & POSITION) at += 2
    const part = escapeText(clean(text.slice(from, to)))
    const isMarked = position !== 0 && !/[\r\n]./s.test(part.trim())
    markdown += isMarked ? formatScript(part, position > 0 ? 'sup' : 'sub') : part
    from = to
  }
  return markdown + escapeText(clean(text.slice(from)))
}
