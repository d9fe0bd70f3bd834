import { formatMarked } from '../xlsx/strings.ts'
import type { FontMarks } from '../xlsx/strings.ts'
import { decodeBytes, decodeUtf16 } from '../text/byte-decoder.ts'

/** Reads a string after its length of one or two bytes; in files from before Unicode it is in their code page. */
export function readShortString(
  data: Buffer,
  at: number,
  { codepage, isUnicode }: { codepage: string; isUnicode: boolean },
  lengthBytes: 1 | 2,
): string {
  if (at + lengthBytes >= data.length) return ''
  const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at)
  const start = at + lengthBytes
  if (!isUnicode) return decodeBytes(data.subarray(start, start + length), codepage).text
  const isWide = Boolean((data[start] ?? 0) & 1)
  const bytes = data.subarray(start + 1, start + 1 + length * (isWide ? 2 : 1))
  return isWide ? decodeUtf16(bytes) : bytes.toString('latin1')
}

/** A text with fonts that apply from a character on. */
export type RichText = { text: string; runs: { from: number; font: number }[] }

/** Reads the table of shared strings, which continues across records (MS-XLS 2.5.293). */
export class BiffStrings {
  private readonly parts: Buffer[]
  private part = 0
  private at = 0

  constructor(parts: Buffer[]) {
    this.parts = parts
  }

  readTable(): RichText[] {
    this.at = 4
    const count = this.readNumber(4)
    const strings: RichText[] = []
    while (strings.length < count && !this.isAtEnd) strings.push(this.readString())
    return strings
  }

  private get isAtEnd(): boolean {
    return this.part >= this.parts.length
  }

  /** Moves on to the next record where this one ends. */
  private settle(): void {
    while (!this.isAtEnd && this.at >= (this.parts[this.part]?.length ?? 0)) {
      this.at -= this.parts[this.part]?.length ?? 0
      this.part++
    }
  }

  private readNumber(bytes: 1 | 2 | 4): number {
    this.settle()
    const data = this.parts[this.part]
    const value = data && this.at + bytes <= data.length ? data.readUIntLE(this.at, bytes) : 0
    this.at += bytes
    return value
  }

  private readString(): RichText {
    const length = this.readNumber(2)
    const flags = this.readNumber(1)
    const runs = flags & 8 ? this.readNumber(2) : 0
    const extra = flags & 4 ? this.readNumber(4) : 0
    let isWide = Boolean(flags & 1)
    let text = ''
    while (text.length < length && !this.isAtEnd) {
      const data = this.parts[this.part] ?? Buffer.alloc(0)
      if (this.at >= data.length) {
        // A record that continues a string states anew whether its characters are wide.
        this.part++
        this.at = 1
        isWide = Boolean((this.parts[this.part]?.[0] ?? 0) & 1)
        continue
      }
      const width = isWide ? 2 : 1
      const end = Math.min(data.length, this.at + (length - text.length) * width)
      text += isWide ? decodeUtf16(data, this.at, end) : data.toString('latin1', this.at, end)
      this.at = end + ((end - this.at) % width ? 1 : 0)
    }
    const fontRuns: RichText['runs'] = []
    for (let index = 0; index < runs && !this.isAtEnd; index++)
      fontRuns.push({ from: this.readNumber(2), font: this.readNumber(2) })
    this.at += extra
    this.settle()
    return { text, runs: fontRuns }
  }
}

/** Writes a text as Markdown, where `marks` are those of the cell, which its first characters have. */
export function formatRichText({ text, runs }: RichText, marks: FontMarks, fonts: FontMarks[]): string {
  const all = [{ from: 0, marks }, ...runs.map(({ from, font }) => ({ from, marks: fonts[font] ?? {} }))]
  return all.map((run, index) => formatMarked(text.slice(run.from, all[index + 1]?.from), run.marks)).join('')
}

/** Returns a font's marks (MS-XLS 2.4.122). */
export function readFont(data: Buffer, file: { codepage: string; isUnicode: boolean }): FontMarks {
  if (data.length < 15) return {}
  const script = data.readUInt16LE(8)
  return {
    isStruckOut: Boolean(data.readUInt16LE(2) & 8),
    ...(script === 1 ? { script: 'sup' } : script === 2 ? { script: 'sub' } : {}),
    font: readShortString(data, 14, file, 1),
  }
}
